// Runs of FMUs in FMI4j, for drive.py:
//
//     java -cp JARS Fmi4jRun.java TASK...
//
// A TASK is a text of lines: FMU path; step; number of steps; then "set" or "get", type, value reference
// and, behind "set", the value. TASK.result gets a line of values at each communication point.

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import no.ntnu.ihb.fmi4j.FmiStatus;
import no.ntnu.ihb.fmi4j.importer.fmi2.CoSimulationSlave;
import no.ntnu.ihb.fmi4j.importer.fmi2.Fmu;

public class Fmi4jRun {
    static void check(boolean good, String what) {
        if (!good) {
            throw new IllegalStateException(what);
        }
    }

    static void set(CoSimulationSlave slave, String[] line) {
        long[] reference = {Long.parseLong(line[2])};
        FmiStatus status = line[1].equals("Real")
            ? slave.writeReal(reference, new double[] {Double.parseDouble(line[3])})
            : slave.writeInteger(reference, new int[] {Integer.parseInt(line[3])});
        check(status == FmiStatus.OK, String.join(" ", line));
    }

    static String get(CoSimulationSlave slave, String[] line) {
        long[] reference = {Long.parseLong(line[2])};
        double[] real = new double[1];
        int[] integer = new int[1];
        boolean[] truth = new boolean[1];
        FmiStatus status = switch (line[1]) {
            case "Real" -> slave.readReal(reference, real);
            case "Boolean" -> slave.readBoolean(reference, truth);
            default -> slave.readInteger(reference, integer);
        };
        check(status == FmiStatus.OK, String.join(" ", line));
        return switch (line[1]) {
            case "Real" -> Double.toString(real[0]);
            case "Boolean" -> truth[0] ? "1" : "0";
            default -> Integer.toString(integer[0]);
        };
    }

    static void run(String path) throws Exception {
        List<String> task = Files.readAllLines(Path.of(path));
        double step = Double.parseDouble(task.get(1));
        int nSteps = Integer.parseInt(task.get(2));
        List<String[]> settings = new ArrayList<>();
        List<String[]> outputs = new ArrayList<>();
        for (String line : task.subList(3, task.size())) {
            String[] words = line.split(" ");
            (words[0].equals("set") ? settings : outputs).add(words);
        }
        try (PrintWriter result = new PrintWriter(path + ".result");
             Fmu fmu = Fmu.from(new File(task.get(0)));
             CoSimulationSlave slave = fmu.asCoSimulationFmu().newInstance("plant", false, false)) {
            check(slave.setupExperiment(0.0, step * nSteps, 0.0), "setupExperiment");
            settings.forEach(line -> set(slave, line));
            check(slave.enterInitializationMode(), "enterInitializationMode");
            check(slave.exitInitializationMode(), "exitInitializationMode");
            for (int i = 0; i < nSteps; i++) {
                check(slave.doStep(i * step, step), "doStep");
                List<String> row = new ArrayList<>();
                outputs.forEach(line -> row.add(get(slave, line)));
                result.println(String.join(" ", row));
            }
        }
    }

    public static void main(String[] tasks) throws Exception {
        for (String task : tasks) {
            run(task);
        }
    }
}
