using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>The way in from one broker or datagram address: its link, and an input for each ReaderGroup. Owner: the
/// service.</summary>
internal sealed partial class ReaderConnection : IAsyncDisposable
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(250);

    private readonly IReaderLink _link;
    private readonly IReadOnlyList<UadpInput> _uadp;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private ITimer? _timer;

    /// <param name="link">Not started; this disposes it.</param>
    /// <param name="options">Of the connection.</param>
    /// <param name="readers">Of all groups.</param>
    /// <param name="uadp">Inputs of groups that read UADP; this disposes them.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    public ReaderConnection(
        IReaderLink link, ConnectionOptions options, IReadOnlyList<DataSetReader> readers,
        IReadOnlyList<UadpInput> uadp, TimeProvider time, ILogger logger)
    {
        (_link, Options, Readers, _uadp) = (link, options, readers, uadp);
        (_time, _logger) = (time, logger);
    }

    public ConnectionOptions Options { get; }

    public IReadOnlyList<DataSetReader> Readers { get; }

    public ReaderConnectionReport Report() => _link.Describe(new ReaderConnectionReport(
        Options.Name, $"{Options.Url!.Scheme}://{Options.Url.Authority}", PubSubState.Operational, "", 0, 0,
        _uadp.Sum(static one => one.ChunkTimeouts)));

    public void Start()
    {
        _link.Start();
        _timer = Contained.Every(_time, CheckInterval, CheckTimeouts, error => LogFault(_logger, error));
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await _link.DisposeAsync().ConfigureAwait(false);
        foreach (var input in _uadp)
            input.Dispose();
    }

    private void CheckTimeouts()
    {
        foreach (var reader in Readers)
            reader.CheckTimeout();
        foreach (var input in _uadp)
            input.GiveUpLate();
    }

    [LoggerMessage(6303, LogLevel.Error, "PubSub: a fault of the gateway at its readers")]
    private static partial void LogFault(ILogger logger, Exception error);
}
