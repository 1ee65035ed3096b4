using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Sources;

/// <summary>What a source answers that writes only what it can do.</summary>
public sealed class NodeSourceTests
{
    private static readonly NodeHandle[] Nodes = [new(1), new(2)];

    [Fact]
    public async Task Defaults_SourceThatDoesNothing_NotReadableAndNotWritable()
    {
        INodeSource source = new EmptySource();

        Assert.Equal(
            [StatusCodes.BadNotReadable, StatusCodes.BadNotReadable],
            (await ReadAsync(source)).Select(v => v.Status.Code));
        Assert.Equal(
            [StatusCodes.BadNotWritable, StatusCodes.BadNotWritable], (await WriteAsync(source)).Select(s => s.Code));
    }

    [Fact]
    public async Task ReadAsync_ValuesAtHand_TakenFromTryRead()
    {
        Assert.Equal([1, 2], (await ReadAsync(new NumberSource())).Select(v => v.Value.AsInt32()));
    }

    /// <summary>A fault of the source's author: it must not look like a value.</summary>
    [Fact]
    public async Task ReadAsync_TryReadSaysNoAndNothingElseIsWritten_InternalError()
    {
        Assert.Equal(
            [StatusCodes.BadInternalError, StatusCodes.BadInternalError],
            (await ReadAsync(new SilentSource())).Select(v => v.Status.Code));
    }

    [Fact]
    public async Task WriteAsync_DirectWriter_WritesEach()
    {
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadOutOfRange], (await WriteAsync(new Writer())).Select(s => s.Code));
    }

    private static async Task<DataValue[]> ReadAsync(INodeSource source)
    {
        var results = new DataValue[Nodes.Length];
        await source.ReadAsync(Nodes, 0, results, default);
        return results;
    }

    private static async Task<StatusCode[]> WriteAsync(INodeSource source)
    {
        var results = new StatusCode[Nodes.Length];
        await source.WriteAsync(Array.ConvertAll(Nodes, n => new SourceWrite(n, default)), results, default);
        return results;
    }

    private sealed class EmptySource : INodeSource;

    private sealed class NumberSource : INodeSource
    {
        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
        {
            value = new DataValue(new Variant(node.Index));
            return true;
        }
    }

    private sealed class SilentSource : INodeSource
    {
        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
        {
            value = default;
            return false;
        }
    }

    private sealed class Writer : IDirectWriter
    {
        public StatusCode Write(in SourceWrite write) =>
            write.Node.Index == 1 ? StatusCodes.Good : StatusCodes.BadOutOfRange;
    }
}
