namespace Gateway.Events.Delivery;

/// <summary>A client that has brought filters: they are on its account as long as anybody uses them (R46).</summary>
internal sealed class FilterHolder(string name)
{
    public string Name => name;

    /// <summary>Owner: <see cref="FilterPlaces"/>.</summary>
    public int Filters { get; set; }

    /// <summary>On events that are raised.</summary>
    public FilterSpending OnEvents { get; } = new();

    /// <summary>On refreshes.</summary>
    public FilterSpending OnRefreshes { get; } = new();
}
