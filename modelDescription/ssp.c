// SystemStructure.ssd of SSP 1.0: one flat system of FMUs and the connections between them.
#include "modelDescription/ssp.h"

#include <string.h>

#include "modelDescription/attribute.h"

void ssp_add_component(SspSystem* system, SspComponent* component) {
    *(system->last != NULL ? &system->last->next : &system->first) = component;
    system->last = component;
}

void ssp_add_connector(SspComponent* component, SspConnector* connector) {
    connector->component = component;
    *(component->last != NULL ? &component->last->next : &component->first) = connector;
    component->last = connector;
}

SspComponent* ssp_find_component(const SspSystem* system, const char* name, size_t n) {
    SspComponent* c = system->first;
    while (c != NULL && (strlen(c->name) != n || memcmp(c->name, name, n) != 0)) {
        c = c->next;
    }
    return c;
}

SspConnector* ssp_find_connector(const SspComponent* component, const char* name) {
    SspConnector* c = component->first;
    while (c != NULL && strcmp(c->name, name) != 0) {
        c = c->next;
    }
    return c;
}

bool ssp_is_connected(const SspSystem* system, const SspComponent* component) {
    for (const SspComponent* other = system->first; other != NULL; other = other->next) {
        for (const SspConnector* c = other->first; c != NULL; c = c->next) {
            if (c->source != NULL && (other == component || c->source->component == component)) {
                return true;
            }
        }
    }
    return false;
}

// The output of that name of a component other than the input's; *n counts them.
static const SspConnector* find_output(const SspSystem* system, const SspConnector* input, int* n) {
    const SspConnector* found = NULL;
    *n = 0;
    for (const SspComponent* other = system->first; other != NULL; other = other->next) {
        const SspConnector* c = ssp_find_connector(other, input->name);
        if (other != input->component && c != NULL && c->is_output && c->type == input->type) {
            found = c;
            ++*n;
        }
    }
    return found;
}

const SspConnector* ssp_connect_equal_names(SspSystem* system) {
    for (SspComponent* component = system->first; component != NULL; component = component->next) {
        for (SspConnector* c = component->first; c != NULL; c = c->next) {
            int n = 0;
            if (c->is_output || c->source != NULL || c->type == VARIABLE_ENUMERATION) {
                continue;
            }
            const SspConnector* output = find_output(system, c, &n);
            if (n > 1) {
                return c;
            }
            c->source = output;
        }
    }
    return NULL;
}

static void write_component(const SspComponent* component, TextBuffer* out) {
    static const char* const types[] = {
        [VARIABLE_REAL] = "Real",
        [VARIABLE_INTEGER] = "Integer",
        [VARIABLE_BOOLEAN] = "Boolean",
        [VARIABLE_STRING] = "String",
    };
    text_add(out, "      <ssd:Component");
    attribute_text(out, "name", component->name);
    attribute_text(out, "type", "application/x-fmu-sharedlibrary");
    attribute_text(out, "source", component->source);
    text_add(out, ">\n        <ssd:Connectors>\n");
    for (const SspConnector* c = component->first; c != NULL; c = c->next) {
        if (c->type != VARIABLE_ENUMERATION && (c->is_output || c->source != NULL)) {
            text_add(out, "          <ssd:Connector");
            attribute_text(out, "name", c->name);
            attribute_text(out, "kind", c->is_output ? "output" : "input");
            text_add_format(out, "><ssc:%s/></ssd:Connector>\n", types[c->type]);
        }
    }
    text_add(out, "        </ssd:Connectors>\n      </ssd:Component>\n");
}

static void write_connections(const SspSystem* system, TextBuffer* out) {
    for (const SspComponent* component = system->first; component != NULL;
         component = component->next) {
        for (const SspConnector* c = component->first; c != NULL; c = c->next) {
            if (c->source != NULL) {
                text_add(out, "      <ssd:Connection");
                attribute_text(out, "startElement", c->source->component->name);
                attribute_text(out, "startConnector", c->source->name);
                attribute_text(out, "endElement", component->name);
                attribute_text(out, "endConnector", c->name);
                text_add(out, "/>\n");
            }
        }
    }
}

// What OMSimulator wants to find: it opens no system without an annotation of its own, which names
// master and step (1e-4 is its default), and calls an experiment without one outdated. It compares
// names with their prefixes.
static void start_omsimulator(TextBuffer* out) {
    text_add(out,
             "    <ssd:Annotations>\n      <ssc:Annotation type=\"org.openmodelica\">\n"
             "        <oms:Annotations>");
}

static void end_omsimulator(TextBuffer* out) {
    text_add(out, "</oms:Annotations>\n      </ssc:Annotation>\n    </ssd:Annotations>\n");
}

static void write_omsimulator_master(const SspSystem* system, TextBuffer* out) {
    start_omsimulator(out);
    text_add(out, "<oms:SimulationInformation><oms:FixedStepMaster");
    attribute_text(out, "description", "oms-ma");
    attribute_double(out, "stepSize", system->step_size);
    attribute_text(out, "relativeTolerance", "1e-4");
    text_add(out, "/></oms:SimulationInformation>");
    end_omsimulator(out);
}

void ssp_write_structure(const SspSystem* system, TextBuffer* out) {
    text_add(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<ssd:SystemStructureDescription"
             " xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\""
             " xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\""
             " xmlns:oms=\"https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/"
             "schema/oms.xsd\"");
    attribute_text(out, "version", "1.0");
    attribute_text(out, "name", system->name);
    attribute_text(out, "generationTool", "Clatter " CLATTER_VERSION);
    text_add(out, ">\n  <ssd:System name=\"system\">\n    <ssd:Elements>\n");
    for (const SspComponent* c = system->first; c != NULL; c = c->next) {
        write_component(c, out);
    }
    text_add(out, "    </ssd:Elements>\n    <ssd:Connections>\n");
    write_connections(system, out);
    text_add(out, "    </ssd:Connections>\n");
    write_omsimulator_master(system, out);
    text_add(out, "  </ssd:System>\n  <ssd:DefaultExperiment");
    attribute_double(out, "startTime", system->start_time);
    attribute_double(out, "stopTime", system->stop_time);
    text_add(out, ">\n");
    start_omsimulator(out);
    end_omsimulator(out);
    text_add(out, "  </ssd:DefaultExperiment>\n</ssd:SystemStructureDescription>\n");
}
