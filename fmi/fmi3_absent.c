// The functions of fmi3Functions.h for which there is nothing to do in these FMUs: types that no
// variable has, clocks, model exchange and the like. Hosts look for all of them when they load an
// FMU. Each says what is not there.
#include "fmi/instance.h"
#include "fmi3Functions.h"

// None of their arguments but the instance is used.
#pragma GCC diagnostic ignored "-Wunused-parameter"
// NOLINTBEGIN(misc-unused-parameters)

static fmi3Status refuse(Instance* instance, const char* function, const char* why) {
    if (instance) {
        logger_write(&instance->logger, LOG_ERROR, "%s: %s", function, why);
    }
    return fmi3Error;
}

// Nothing can be asked for: that is done.
static fmi3Status refuse_any(Instance* instance, const char* function, size_t n, const char* why) {
    return instance && n == 0 ? fmi3OK : refuse(instance, function, why);
}

static const char no_type[] = "no variable is of this type";
static const char no_clock[] = "there are no clocks";
static const char no_model_exchange[] = "only co-simulation is offered";

// --- types that no variable has ---

fmi3Status fmi3GetFloat32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, fmi3Float32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                       size_t nValueReferences, fmi3Int8 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetUInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3UInt8 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Int16 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetUInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3UInt16 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Int32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetUInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3UInt32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetUInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, fmi3UInt64 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, size_t valueSizes[], fmi3Binary values[],
                         size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetFloat32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                          size_t nValueReferences, const fmi3Float32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                       size_t nValueReferences, const fmi3Int8 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetUInt8(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3UInt8 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Int16 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetUInt16(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3UInt16 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Int32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetUInt32(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3UInt32 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetUInt64(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const fmi3UInt64 values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                         size_t nValueReferences, const size_t valueSizes[],
                         const fmi3Binary values[], size_t nValues) {
    return refuse_any(instance, __func__, nValueReferences, no_type);
}

// --- clocks ---

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, fmi3Clock values[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                        size_t nValueReferences, const fmi3Clock values[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, fmi3UInt64 counters[],
                                   fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, fmi3Float64 shifts[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, fmi3UInt64 counters[],
                                fmi3UInt64 resolutions[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, const fmi3Float64 intervals[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance instance,
                                   const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, const fmi3UInt64 counters[],
                                   const fmi3UInt64 resolutions[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, const fmi3Float64 shifts[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, const fmi3UInt64 counters[],
                                const fmi3UInt64 resolutions[]) {
    return refuse_any(instance, __func__, nValueReferences, no_clock);
}

// --- capabilities that are not offered ---

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                               fmi3ValueReference valueReference,
                                               size_t* nDependencies) {
    return refuse(instance, __func__, "dependencies are those of modelDescription.xml");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[],
                                       fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[],
                                       fmi3DependencyKind dependencyKinds[], size_t nDependencies) {
    return refuse(instance, __func__, "dependencies are those of modelDescription.xml");
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[],
                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                    fmi3Float64 sensitivity[], size_t nSensitivity) {
    return refuse(instance, __func__, "adjoint derivatives are not offered");
}
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
    return refuse(instance, __func__, "there are no structural parameters");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
    return refuse(instance, __func__, "there are no structural parameters");
}

// --- model exchange ---

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminateSimulation) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             size_t nContinuousStates) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  size_t nEventIndicators) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             size_t nContinuousStates) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* nEventIndicators) {
    return refuse(instance, __func__, no_model_exchange);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* nContinuousStates) {
    return refuse(instance, __func__, no_model_exchange);
}

// --- scheduled execution ---

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference,
                                      fmi3Float64 activationTime) {
    return refuse(instance, __func__, no_model_exchange);
}

// NOLINTEND(misc-unused-parameters)
