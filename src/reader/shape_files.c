// Shapes whose points are those of a file: each file is read once, whoever names it.
#include <string.h>

#include "reader/points_file.h"
#include "reader/reader.h"

typedef struct FilePoints {
    const Vec3* points;  // (n)
    int n;
    bool read;
} FilePoints;

static void read_shape_file(Reader* reader, int shape, const ModelFiles* files,
                            FilePoints* of_files) {
    const XmlNode* node = reader->nodes[shape];
    const char* name = xml_attribute(node, "file");
    const PointsFormat format = points_file_format(name);
    const ModelFile* file = model_files_find(files, name);
    if (format == POINTS_UNKNOWN) {
        ATTRIBUTE_ERROR(reader, node, "file",
                        "file=\"%.80s\": expected the name of an STL or OBJ file, which ends with "
                        ".stl or .obj",
                        name);
        return;
    }
    if (file == NULL) {
        ATTRIBUTE_ERROR(reader, node, "file", "file=\"%.80s\": there is no such file", name);
    }
    if (file == NULL || file->text == NULL) {
        return;  // whoever tried to read it has told
    }
    FilePoints* of_file = &of_files[file - files->named];
    if (!of_file->read) {
        const Place place = xml_attribute_place(reader->tree, node, "file", 0);
        const Status status = points_file_read(file, format, place, reader->arena, reader->report,
                                               &of_file->points, &of_file->n);
        reader->arena->exhausted = reader->arena->exhausted || status == STATUS_OUT_OF_MEMORY;
        of_file->read = true;
    }
    reader->elements[shape].points = of_file->points;
    reader->elements[shape].n_points = of_file->n;
}

void read_shape_files(Reader* reader, const ModelFiles* files) {
    FilePoints* of_files = ARENA_NEW(reader->arena, files->n_named, FilePoints);
    for (int i = 0; i < reader->n_elements && !reader->arena->exhausted; i++) {
        const XmlNode* node = reader->nodes[i];
        if (reader->elements[i].kind->has_file && node != NULL &&
            xml_attribute(node, "file") != NULL) {
            read_shape_file(reader, i, files, of_files);
        }
    }
}
