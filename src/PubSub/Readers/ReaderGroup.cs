using Gateway.PubSub.Options;

namespace Gateway.PubSub.Readers;

/// <summary>The readers of one ReaderGroup, and the input that gives them their messages. Owner: the connection.
/// </summary>
/// <param name="Options">Of the group.</param>
/// <param name="Readers">In the order of the options.</param>
/// <param name="Input">Reads the group's messages.</param>
internal sealed record ReaderGroup(
    ReaderGroupOptions Options, IReadOnlyList<DataSetReader> Readers, IReaderInput Input) : IDisposable
{
    /// <summary>Null: the group reads JSON.</summary>
    public UadpInput? Uadp => Input as UadpInput;

    /// <summary>The input alone: readers may go on with another.</summary>
    public void Dispose() => Uadp?.Dispose();
}
