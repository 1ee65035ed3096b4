namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>Which cells of the grid to try, and where the border between those that held and those that gave is. Rows
/// are tried from few items to many, a row from few sessions to many; cells beyond one that gave are not
/// tried.</summary>
internal sealed class Frontier(int[] sessions, int[] subscriptions, int[] items)
{
    private readonly List<(MatrixCell Cell, GaveWay Gave, string Why)> _tried = [];

    public IReadOnlyList<(MatrixCell Cell, GaveWay Gave, string Why)> Tried => _tried;

    public IEnumerable<(int Subscriptions, int Items)> Rows() =>
        from subscription in subscriptions.Order()
        from item in items.Order()
        select (subscription, item);

    public IEnumerable<MatrixCell> CellsOf(int subscription, int item) =>
        sessions.Order().Select(count => new MatrixCell(count, subscription, item));

    /// <summary>A driver that had no core left and a clock that ran out say nothing about other cells' server, but
    /// they would not be measured either.</summary>
    public bool IsOpen(MatrixCell cell) =>
        !_tried.Exists(tried => tried.Gave != GaveWay.Nothing && cell.IsBeyond(tried.Cell));

    public void Add(MatrixCell cell, GaveWay gave, string why) => _tried.Add((cell, gave, why));

    /// <summary>The last cell of a row that held; null when not even the first did, or none was tried.</summary>
    public MatrixCell? LastThatHeld(int subscription, int item)
    {
        var held = _tried.Where(tried => tried.Gave == GaveWay.Nothing && IsIn(tried.Cell, subscription, item))
            .Select(tried => tried.Cell).ToArray();
        return held.Length == 0 ? null : held.MaxBy(cell => cell.Sessions);
    }

    /// <summary>The cell that ended a row: its own, or the one of another row that it lies beyond. Null: the row was
    /// held to its end, or time was up before it.</summary>
    public (MatrixCell Cell, GaveWay Gave, string Why)? FirstThatGave(int subscription, int item)
    {
        foreach (var cell in CellsOf(subscription, item))
        {
            foreach (var tried in _tried)
            {
                if (tried.Gave != GaveWay.Nothing && cell.IsBeyond(tried.Cell))
                    return tried;
            }
        }

        return null;
    }

    private static bool IsIn(MatrixCell cell, int subscription, int item) =>
        cell.Subscriptions == subscription && cell.Items == item;
}
