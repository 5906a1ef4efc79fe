/**
 * Number of cells of the map along one side of the world. The SQL function `map_cell` numbers them
 * `x * mapCellsPerSide + y`. A cell is a pixel of zoom 9, some 200 m wide in Europe.
 */
export const mapCellsPerSide = 131_072;
