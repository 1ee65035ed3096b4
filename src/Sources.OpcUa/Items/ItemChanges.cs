namespace Gateway.Sources.OpcUa.Items;

/// <summary>The work at the upstream so that it follows the wishes; nodes by their handles.</summary>
/// <param name="Create">Items for these.</param>
/// <param name="Delete">The items of these.</param>
/// <param name="Retime">The items of these get another sampling interval.</param>
/// <param name="Refresh">Values were lost: all are read.</param>
internal readonly record struct ItemChanges(List<int> Create, List<int> Delete, List<int> Retime, bool Refresh)
{
    /// <summary>The upstream may have room by now for what it had none for.</summary>
    public bool TryAgain { get; init; }

    /// <summary>Nodes to read: their last change may have been dropped as an old one.</summary>
    public int[] Reread { get; init; } = [];
}
