using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Readers;

/// <summary>The way in from one broker or datagram address: its link, and the groups. Owner: the service, one call at a
/// time.</summary>
internal sealed partial class ReaderConnection : IAsyncDisposable
{
    private static readonly TimeSpan CheckInterval = TimeSpan.FromMilliseconds(250);

    private readonly IReaderLink _link;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private volatile IReadOnlyList<ReaderGroup> _groups = [];
    private ITimer? _timer;

    /// <param name="link">Not started; this disposes it.</param>
    /// <param name="options">Of the connection.</param>
    /// <param name="groups">This disposes them.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    /// <exception cref="InvalidOperationException">There are too many groups for the link; nothing is disposed.
    /// </exception>
    public ReaderConnection(
        IReaderLink link, ConnectionOptions options, IReadOnlyList<ReaderGroup> groups, TimeProvider time,
        ILogger logger)
    {
        (_link, Options, _time, _logger) = (link, options, time, logger);
        link.Change(groups);
        _groups = groups;
    }

    public ConnectionOptions Options { get; private set; }

    public IReadOnlyList<ReaderGroup> Groups => _groups;

    public IEnumerable<DataSetReader> Readers => _groups.SelectMany(static one => one.Readers);

    public ReaderConnectionReport Report() => _link.Describe(new ReaderConnectionReport(
        Options.Name, $"{Options.Url!.Scheme}://{Options.Url.Authority}", PubSubState.Operational, "", 0, 0,
        _groups.Sum(static one => one.Uadp?.ChunkTimeouts ?? 0)));

    public void Start()
    {
        _link.Start();
        _timer = Contained.Every(_time, CheckInterval, Check, error => LogFault(_logger, error));
    }

    /// <summary>Other groups over the same link. With an exception nothing has changed.</summary>
    /// <exception cref="InvalidOperationException">There are too many.</exception>
    public void Change(ConnectionOptions options, IReadOnlyList<ReaderGroup> groups)
    {
        var before = _groups;
        _link.Change(groups);
        (Options, _groups) = (options, groups);
        foreach (var gone in before.Except(groups))
            gone.Dispose();
    }

    /// <summary>An upstream has claimed namespaces: its nodes are about to come. Never throws.</summary>
    public void FollowClaims()
    {
#pragma warning disable CA1031 // The caller is the upstream's connection, which has nothing to do with it.
        try
        {
            foreach (var reader in Readers)
                reader.FollowClaims();
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            LogFault(_logger, error);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await _link.DisposeAsync().ConfigureAwait(false);
        foreach (var group in _groups)
            group.Dispose();
    }

    private void Check()
    {
        foreach (var group in _groups)
        {
            foreach (var reader in group.Readers)
            {
                reader.CheckTimeout();
                reader.FollowClaims();
            }

            group.Uadp?.GiveUpLate();
        }
    }

    [LoggerMessage(6303, LogLevel.Error, "PubSub: a fault of the gateway at its readers")]
    private static partial void LogFault(ILogger logger, Exception error);
}
