using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Outputs;

/// <summary>Announces the metadata of a group's writers by datagrams, sealed as the group's messages. Owner: the
/// output. Threads: any. Source: Part 14 §7.2.4.6.4.</summary>
/// <param name="group">The options that it was made for.</param>
/// <param name="options">Of the group's messages.</param>
/// <param name="sealer">This disposes it; null: nothing is sealed.</param>
internal sealed class DatagramAnnouncer(WriterGroupOptions group, UadpWriterOptions options, UadpSealer? sealer)
    : IDisposable
{
    private const int MaxMetaDataBytes = 8 << 20;

    private readonly Lock _lock = new();
    private readonly SortedDictionary<ushort, WriterDescription> _writers = [];
    private readonly UadpDiscoveryWriter _message = new(
        options with { MaxDataSetMessageBytes = MaxMetaDataBytes }, sealer);
    private bool _isDisposed;

    public WriterGroupOptions Group => group;

    public delegate void Sender(ReadOnlySpan<byte> datagram);

    public void Announce(WriterDescription writer, Sender send)
    {
        lock (_lock)
        {
            _writers[writer.DataSetWriterId] = writer;
            Write(writer, send);
        }
    }

    /// <summary>All, for subscribers that came meanwhile.</summary>
    public void Repeat(Sender send)
    {
        lock (_lock)
        {
            foreach (var writer in _writers.Values)
                Write(writer, send);
        }
    }

    /// <summary>One writer's, if there is one.</summary>
    public void Repeat(ushort writerId, Sender send)
    {
        lock (_lock)
        {
            if (_writers.TryGetValue(writerId, out var writer))
                Write(writer, send);
        }
    }

    public void AnnounceConfiguration(
        ushort[] writers, WriterGroupDataType group, StatusCode[] statuses, Sender send) =>
        Write(message => message.TryWriteConfiguration(writers, group, statuses), send);

    public void AnnounceEndpoints(EndpointDescription[] endpoints, Sender send) =>
        Write(message => message.TryWriteEndpoints(endpoints), send);

    /// <summary>There is no such writer.</summary>
    public void AnnounceUnknown(UadpAnnouncementType type, ushort writer, Sender send) => Write(
        message => type == UadpAnnouncementType.DataSetMetaData
            ? message.TryWriteMetaData(writer, new DataSetMetaDataType(), StatusCodes.BadNotFound)
            : message.TryWriteConfiguration([writer], new WriterGroupDataType(), [StatusCodes.BadNotFound]),
        send);

    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            _message.Dispose();
        }
    }

    private void Write(WriterDescription writer, Sender send)
    {
        Write(message => message.TryWriteMetaData(writer.DataSetWriterId, writer.MetaData), send);
    }

    private void Write(Func<UadpDiscoveryWriter, bool> write, Sender send)
    {
        lock (_lock)
        {
            if (!_isDisposed && write(_message))
                SendUnderLock(send);
        }
    }

    private void SendUnderLock(Sender send)
    {
        for (var i = 0; i < _message.PartCount; i++)
            send(_message.Part(i).Span);
    }
}
