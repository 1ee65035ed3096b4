namespace Gateway.Sources.OpcUa.Items;

/// <summary>The work at the upstream so that it follows the wishes; nodes by their handles.</summary>
/// <param name="Create">Items for these.</param>
/// <param name="Delete">The items of these.</param>
/// <param name="Retime">The items of these get another sampling interval.</param>
internal readonly record struct ItemChanges(List<int> Create, List<int> Delete, List<int> Retime)
{
    /// <summary>The upstream may have room by now for what it had none for.</summary>
    public bool TryAgain { get; init; }
}
