namespace Gateway.AddressSpace.Import;

/// <summary>The result of one file.</summary>
/// <param name="File">Its path.</param>
/// <param name="Models">Its models.</param>
/// <param name="Nodes">Nodes added.</param>
/// <param name="Warnings">References that were left out because their other end does not exist: one line each.</param>
public sealed record NodeSetResult(
    string File, IReadOnlyList<NodeSetModelInfo> Models, int Nodes, IReadOnlyList<string> Warnings);
