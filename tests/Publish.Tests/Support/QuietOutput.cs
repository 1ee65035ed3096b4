using System.Buffers.Binary;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Support;

/// <summary>Counts messages and notes the last sequence number without allocating: the response's fixed layout is read
/// by offset (TypeId 4, ResponseHeader 24, SubscriptionId 4).</summary>
internal sealed class QuietOutput : INotificationOutput, IItemAccess
{
    private const int AvailableAt = 32;

    public int MaxResponseSizeBytes => 0;

    public int Messages { get; private set; }

    public long Bytes { get; private set; }

    public uint SequenceNumber { get; private set; }

    public StatusCode Send(PooledBuffer message, uint requestId)
    {
        var written = message.WrittenSpan;
        var available = BinaryPrimitives.ReadInt32LittleEndian(written[AvailableAt..]);
        SequenceNumber = BinaryPrimitives.ReadUInt32LittleEndian(
            written[(AvailableAt + sizeof(int) + (available * sizeof(uint)) + 1)..]);
        Bytes += message.Length;
        Messages++;
        return StatusCode.Good;
    }

    public void Flush()
    {
    }

    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;
}
