namespace Gateway.Events.Delivery;

/// <summary>A client that has brought filters: they are on its account as long as anybody uses them (R46).</summary>
internal sealed class FilterHolder
{
    /// <summary>Owner: <see cref="FilterPlaces"/>.</summary>
    public int Filters { get; set; }

    /// <summary>The second in which the last one went. Owner: as above.</summary>
    public long EmptySince { get; set; }

    /// <summary>On events that are raised.</summary>
    public FilterSpending OnEvents { get; } = new();

    /// <summary>On refreshes.</summary>
    public FilterSpending OnRefreshes { get; } = new();
}
