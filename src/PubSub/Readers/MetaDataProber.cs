using Gateway.Codec.Structures;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Readers;

/// <summary>
/// Asks one publisher for the metadata that readers of a group do not have, or that messages say is outdated: after a
/// random delay, so that many subscribers do not ask at once, then at intervals that double. All of them are in one
/// probe. Metadata that comes meanwhile ends it. Owner: its link. Threads: one timer. Source: Part 14 §7.2.4.6.10.
/// </summary>
/// <param name="publisherId">The publisher.</param>
/// <param name="readers">Those of one group that read it.</param>
/// <param name="seal">For the probe; null: it is not sealed. Each call makes one.</param>
/// <param name="time">The clock.</param>
internal sealed class MetaDataProber(
    string publisherId, IReadOnlyList<DataSetReader> readers, Func<UadpSealer?> seal, TimeProvider time) : IDisposable
{
    private const int MinDelayMs = 100;
    private const int MaxDelayMs = 500;

    private static readonly TimeSpan FirstPeriod = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan LastPeriod = TimeSpan.FromMinutes(1);

    private readonly Dictionary<DataSetReader, (DataSetMetaDataType? MetaData, long Outdated)> _known = [];
    private UadpDiscoveryWriter? _writer;
    private UadpPublisherId? _writerId;
    private long? _askAt;
    private TimeSpan _period;

    /// <summary>Drawn anew for each first probe.</summary>
    public Func<int> DelayMs { get; init; } = static () => Random.Shared.Next(MinDelayMs, MaxDelayMs + 1);

    /// <summary>True: a probe has left.</summary>
    public bool Look(DatagramAnnouncer.Sender send)
    {
        var missing = readers.Where(Needs).Select(static one => (ushort)one.DataSetWriterId).ToArray();
        var now = time.GetTimestamp();
        if (missing.Length == 0)
        {
            _askAt = null;
            return false;
        }

        if (_askAt is not { } askAt)
        {
            _askAt = After(now, TimeSpan.FromMilliseconds(DelayMs()));
            _period = FirstPeriod;
            return false;
        }

        if (now < askAt)
            return false;
        _askAt = After(now, _period);
        _period = _period * 2 < LastPeriod ? _period * 2 : LastPeriod;
        return TryAsk(missing, send);
    }

    public void Dispose() => _writer?.Dispose();

    private long After(long now, TimeSpan delay) => now + (long)(delay.TotalSeconds * time.TimestampFrequency);

    private bool Needs(DataSetReader reader)
    {
        var (metaData, outdated) = (reader.MetaData, reader.Problems.Of(ReaderProblem.MetaDataOutdated));
        if (metaData is null)
            return true;
        if (_known.TryGetValue(reader, out var known) && ReferenceEquals(known.MetaData, metaData))
            return outdated > known.Outdated;
        _known[reader] = (metaData, outdated);
        return false;
    }

    /// <summary>With the type of the PublisherId that the publisher's messages have; a text until there is one.
    /// </summary>
    private bool TryAsk(ushort[] missing, DatagramAnnouncer.Sender send)
    {
        UadpPublisherId.TryParse(publisherId, readers[0].WireType, out var id);
        if (_writer is null || _writerId != id)
        {
            _writer?.Dispose();
            _writerId = id;
            _writer = new UadpDiscoveryWriter(
                new UadpWriterOptions { PublisherId = id, MaxMessageBytes = UadpWriterOptions.Ipv6MessageBytes },
                seal());
        }

        // As many as a datagram has room for; the others are asked for next time.
        const int MostIds = 500;
        if (!_writer.TryWriteProbe(
            UadpAnnouncementType.DataSetMetaData, missing.AsSpan(0, Math.Min(missing.Length, MostIds))))
            return false;
        send(_writer.Part(0).Span);
        return true;
    }
}
