namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>One point of the grid.</summary>
internal readonly record struct MatrixCell(int Sessions, int Subscriptions, int Items)
{
    public long TotalItems => (long)Sessions * Subscriptions * Items;

    /// <summary>More of something and less of nothing: a failure there is a failure here, too.</summary>
    public bool IsBeyond(MatrixCell other) =>
        Sessions >= other.Sessions && Subscriptions >= other.Subscriptions && Items >= other.Items;
}
