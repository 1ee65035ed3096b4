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
        if (_isDisposed || !_message.TryWriteMetaData(writer.DataSetWriterId, writer.MetaData))
            return;
        for (var i = 0; i < _message.PartCount; i++)
            send(_message.Part(i).Span);
    }
}
