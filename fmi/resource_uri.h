// The directory that fmi2Instantiate's fmuResourceLocation means.
#pragma once

// Path of a file URI (RFC 8089: file:/a, file:///a, file://localhost/a; also file:////a, which some
// hosts write) or of a plain path, which is taken as it is. Percent escapes are decoded, trailing
// slashes dropped. Freed by the caller with free(). NULL if it cannot be used, with the reason in
// *problem.
char* resource_uri_to_path(const char* uri, const char** problem);
