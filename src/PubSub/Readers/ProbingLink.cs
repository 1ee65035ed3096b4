using System.Net.Sockets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.PubSub.Uadp.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>A link whose readers ask for the metadata that they do not have. Owner: its connection.</summary>
/// <param name="link">This disposes it.</param>
/// <param name="target">Where publishers listen; this disposes it.</param>
/// <param name="sealerOf">Of the probes of a group's readers; null: they are not sealed.</param>
/// <param name="time">The clock.</param>
/// <param name="logFault">Of a timer.</param>
internal sealed partial class ProbingLink(
    IReaderLink link, DatagramTarget target, Func<ReaderGroupOptions, UadpSealer?> sealerOf, TimeProvider time,
    Action<Exception> logFault) : IReaderLink
{
    private const int TurnsPerLookUp = 100;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly Lock _lock = new();
    private IReadOnlyList<MetaDataProber> _probers = [];
    private ITimer? _timer;
    private long _probes;
    private int _turn;
    private int _isLooking;

    /// <summary>The link itself where nobody is asked.</summary>
    public static IReaderLink Over(
        IReaderLink link, ConnectionOptions options, OutputFactory outputs, TimeProvider time, ILogger logger) =>
        options.ProbeUrl is { } url
            ? new ProbingLink(
                link, new DatagramTarget(DatagramAddress.Of(url, options)), outputs.SealerOf, time,
                error => LogFault(logger, error))
            : link;

    public void Start()
    {
        link.Start();
        _timer = Contained.Every(time, Interval, Look, logFault);
    }

    public void Change(IReadOnlyList<ReaderGroup> groups)
    {
        link.Change(groups);
        var probers = groups.Where(static group => group.Uadp is not null).SelectMany(group => group.Readers
            .GroupBy(static reader => reader.PublisherId)
            .Select(by => new MetaDataProber(by.Key, [.. by], () => sealerOf(group.Options), time))).ToList();
        Use(probers);
    }

    public ReaderConnectionReport Describe(ReaderConnectionReport report) =>
        link.Describe(report) with { Probes = Interlocked.Read(ref _probes) };

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await link.DisposeAsync().ConfigureAwait(false);
        Use([]);
        target.Dispose();
    }

    private void Use(IReadOnlyList<MetaDataProber> probers)
    {
        lock (_lock)
        {
            foreach (var prober in _probers)
                prober.Dispose();
            _probers = probers;
        }
    }

    private void Look()
    {
        if (Interlocked.Exchange(ref _isLooking, 1) != 0)
            return;
        try
        {
            // A name is looked up at first and again and again.
            if (_turn++ % TurnsPerLookUp == 0)
                _ = target.LookAsync();
            lock (_lock)
            {
                foreach (var prober in _probers)
                {
                    if (prober.Look(Send))
                        Interlocked.Increment(ref _probes);
                }
            }
        }
        finally
        {
            Volatile.Write(ref _isLooking, 0);
        }
    }

    private void Send(ReadOnlySpan<byte> datagram)
    {
        try
        {
            target.TrySend(datagram);
        }
        catch (SocketException)
        {
            // It is asked again.
        }
    }

    [LoggerMessage(6322, LogLevel.Error, "PubSub: a fault of the gateway while it asked for metadata")]
    private static partial void LogFault(ILogger logger, Exception error);
}
