#include "elements/surface.h"

ShapeView surface_view(const Element* elements, const Element* shape, const double* p) {
    if (shape->function != NULL) {  // of its variable and of user parameters, the first of p
        expression_set_bound(shape->function, p);
    }
    return (ShapeView){.par = p + shape->p.at,
                       .p = p,
                       .vertices = elements + shape->vertices.at,
                       .n_vertices = shape->vertices.n,
                       .points = shape->points,
                       .n_points = shape->n_points,
                       .function = shape->function};
}

bool surface_create(SurfaceSize size, Arena* arena, Surface* surface) {
    const int n_edges = size.points > 1 ? solid_most_edges(size.points) : 0;
    const int n_faces = size.points > 1 ? solid_most_faces(size.points) : 0;
    *surface = (Surface){.outline.parts = ARENA_NEW(arena, size.parts, OutlinePart),
                         .steps = ARENA_NEW(arena, size.steps, OutlineStep),
                         .stations = ARENA_NEW(arena, size.stations, double),
                         .solid.points = ARENA_NEW(arena, size.points, Vec3),
                         .solid.edges = ARENA_NEW(arena, n_edges, SolidEdge),
                         .solid.faces = ARENA_NEW(arena, n_faces, SolidFace),
                         .solid.face_points = ARENA_NEW(arena, 2 * n_edges, int),
                         .fault = -1};
    return !arena->exhausted;
}
