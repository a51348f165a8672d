// The commands of clatter. argv[0] is the command's own name; the exit code is returned.
#pragma once

int command_pack(int argc, char** argv);
int command_view(int argc, char** argv);
int command_run(int argc, char** argv);
int command_check(int argc, char** argv);
