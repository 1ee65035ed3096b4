using Gateway.Client;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>One server of a redundant set: its state, its standby session and when it is tried again. Thread: one job
/// at a time; its state may be read from any.</summary>
internal sealed class RedundantMember(string endpointUrl, IUpstreamConnection connection, TimeProvider time)
{
    private readonly MemberBackoff _backoff = new(time);
    private volatile MemberState _state = new(null, null);
    private volatile IUpstreamSession? _spare;

    /// <summary>Lost there: closed before the next one is made.</summary>
    private IUpstreamSession? _left;

    /// <summary>Of the sessions that were served: it is of the set, whatever the others say.</summary>
    private string? _servedUri;

    public string EndpointUrl => endpointUrl;

    public IUpstreamConnection Connection => connection;

    public byte? ServiceLevel => _state.ServiceLevel;

    public string? LastError => _state.LastError;

    /// <summary>It has a session that nobody uses.</summary>
    public bool HasSpare => Spare is not null;

    public IUpstreamSession? Spare => _spare is { Closed.IsCompleted: false } spare ? spare : null;

    public bool IsDue(bool isNeeded) => _backoff.IsDue(isNeeded);

    /// <summary>Until it may be tried where no server is in use.</summary>
    public TimeSpan UntilDue => _backoff.UntilDue;

    /// <summary>The attempt that was under way when another server won has ended.</summary>
    public Task Ended { get; private set; } = Task.CompletedTask;

    /// <summary>The server does not get another session before this has ended, but nobody else waits for it.</summary>
    public void EndBeside(Task ending)
    {
        Ended = QuietAsync(ending);

        static async Task QuietAsync(Task ending) =>
            await ending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>The standby session where it answers still, else a new one.</summary>
    /// <param name="serverUris">Of the set; empty: not known.</param>
    /// <param name="cancellation">Ends the attempt; no session is left then.</param>
    public async ValueTask<IUpstreamSession> OpenAsync(string?[] serverUris, CancellationToken cancellation)
    {
        await Ended.WaitAsync(cancellation).ConfigureAwait(false);
        if (await AskSpareAsync(cancellation).ConfigureAwait(false))
            return TakeSpare();
        IUpstreamSession? session = null;
        try
        {
            await LeaveAsync(cancellation).ConfigureAwait(false);
            session = await connection.ConnectAsync(cancellation).ConfigureAwait(false);
            Check(session, serverUris);
            Answered(await RedundancyFacts.ReadServiceLevelAsync(session, cancellation).ConfigureAwait(false));
            return session;
        }
        catch (Exception failure)
        {
            if (session is not null)
                await session.DisposeAsync().ConfigureAwait(false);
            if (failure is not OperationCanceledException || !cancellation.IsCancellationRequested)
                Failed(failure);
            throw;
        }
    }

    public async ValueTask<ResumedUpstream> ResumeAsync(IUpstreamSession lost, CancellationToken cancellation)
    {
        await Ended.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            var resumed = await connection.ResumeAsync(lost, cancellation).ConfigureAwait(false);
            Answered(ServiceLevel);
            return resumed;
        }
        catch (Exception failure) when (failure is not OperationCanceledException ||
            !cancellation.IsCancellationRequested)
        {
            Failed(failure);
            throw;
        }
    }

    /// <summary>Its session is the one in use from now on.</summary>
    public void Serve(IUpstreamSession session)
    {
        Answered(ServiceLevel);
        if (session.Endpoint.Server?.ApplicationUri is { Length: > 0 } uri)
            _servedUri = uri;
    }

    /// <summary>Another server goes on in place of it.</summary>
    /// <param name="lost">Its connection has ended.</param>
    public void Lose(IUpstreamSession lost)
    {
        _left = lost;
        if (LastError is null)
            Failed(new ServiceException(StatusCodes.BadTimeout, $"{endpointUrl} does not answer"));
    }

    /// <summary>Its session could not be used. It is tried again as one that did not answer.</summary>
    public void Unusable(Exception why) =>
        Failed(new ServiceException(StatusCodes.BadCommunicationError, $"its session is of no use: {why.Message}"));

    /// <summary>It has answered.</summary>
    /// <param name="level">Null: not known.</param>
    public void Answered(byte? level)
    {
        _backoff.Succeeded();
        _state = new MemberState(level, null);
    }

    /// <summary>One look at a server that is not in use: its standby session is asked, made where one is wanted, and
    /// closed where none is. A failure is its own and is not thrown.</summary>
    /// <param name="isWanted">A standby session.</param>
    /// <param name="serverUris">See <see cref="OpenAsync"/>.</param>
    /// <param name="cancellation">Ends it.</param>
    public async Task CareAsync(bool isWanted, string?[] serverUris, CancellationToken cancellation)
    {
        await Ended.WaitAsync(cancellation).ConfigureAwait(false);
        if (!isWanted)
        {
            await CloseSpareAsync().ConfigureAwait(false);
            return;
        }

        if (await AskSpareAsync(cancellation).ConfigureAwait(false) || !IsDue(isNeeded: false))
            return;
        try
        {
            _spare = await OpenAsync(serverUris, cancellation).ConfigureAwait(false);
        }
        catch (Exception) when (!cancellation.IsCancellationRequested)
        {
            // Its report says so.
        }
    }

    /// <summary>No session of ours is left there, where that can be done soon.</summary>
    public async Task CloseAsync()
    {
        await Ended.ConfigureAwait(false);
        await CloseSpareAsync().ConfigureAwait(false);
        await SessionFarewell.SayAsync(LeaveAsync, time).ConfigureAwait(false);
        await connection.CloseAsync().ConfigureAwait(false);
    }

    /// <summary>Whether there is one that answers. One that does not is left, to be closed later.</summary>
    private async ValueTask<bool> AskSpareAsync(CancellationToken cancellation)
    {
        if (_spare is not { } spare)
            return false;
        try
        {
            if (!spare.Closed.IsCompleted)
            {
                Answered(await RedundancyFacts.ReadServiceLevelAsync(spare, cancellation).ConfigureAwait(false));
                return true;
            }
        }
        catch (ServiceException)
        {
            spare.Abort();
        }

        (_spare, _left) = (null, spare);
        return false;
    }

    private IUpstreamSession TakeSpare()
    {
        var spare = _spare!;
        _spare = null;
        return spare;
    }

    private async ValueTask LeaveAsync(CancellationToken cancellation)
    {
        if (_left is { } left)
            await connection.LeaveAsync(left, cancellation).ConfigureAwait(false);
        _left = null;
    }

    private async ValueTask CloseSpareAsync()
    {
        if (_spare is { } spare)
            await spare.DisposeAsync().ConfigureAwait(false);
        _spare = null;
    }

    private void Failed(Exception failure)
    {
        _backoff.Failed(failure);
        _state = _state with { LastError = PeerText.EscapeLine(failure.Message) };
    }

    /// <summary>Another server of the set, and not one that happens to answer at that address.</summary>
    private void Check(IUpstreamSession session, string?[] serverUris)
    {
        var uri = session.Endpoint.Server?.ApplicationUri;
        if (serverUris.Length > 0 && !string.IsNullOrEmpty(uri) && uri != _servedUri && !serverUris.Contains(uri))
            throw new ServiceException(
                StatusCodes.BadServerUriInvalid,
                $"its ApplicationUri \"{PeerText.Escape(uri)}\" is not in the ServerUriArray of the set")
            {
                Fault = ConnectFault.EndpointMismatch,
            };
    }

    private sealed record MemberState(byte? ServiceLevel, string? LastError);
}
