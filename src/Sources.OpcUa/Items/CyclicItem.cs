namespace Gateway.Sources.OpcUa.Items;

/// <summary>One node of <see cref="CyclicItems"/>.</summary>
internal struct CyclicItem
{
    public double IntervalMs;

    /// <summary>A timestamp; null: not yet.</summary>
    public long? AskedAt;

    /// <summary>When that was asked which has been answered last: no value of it is older. Null: none was.</summary>
    public long? KnownAt;
}
