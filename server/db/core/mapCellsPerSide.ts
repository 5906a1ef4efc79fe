/**
 * Cells of the map along one side of the world, numbered `x * cellsAlong + y` by the SQL function `map_cell`: pixels of
 * zoom 9, some 200 m in Europe.
 */
export const mapCellsPerSide = 131_072;
