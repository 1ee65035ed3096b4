using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>Takes sessions and subscriptions on one channel until it has its number or is refused.</summary>
internal sealed class Hoarder(HoardChannel channel, CancellationToken cancellation) : IDisposable
{
    private const double LongMs = 3_600_000;
    private const double PublishingIntervalMs = 1000;
    private const uint LongLifetime = 3600;

    private readonly byte[] _nonce = new byte[32];
    private NodeId _token;

    public int Sessions { get; private set; }

    public int Subscriptions { get; private set; }

    /// <summary>The last refusal; Good: none.</summary>
    public StatusCode Refusal { get; private set; }

    /// <summary>False: refused.</summary>
    public async Task<bool> TryActivateAsync()
    {
        var (status, created) = await channel.AskAsync<CreateSessionResponse>(
            default, new CreateSessionRequest
            {
                ClientDescription = new ApplicationDescription { ApplicationUri = "urn:gateway:hoarder" },
                SessionName = "hoard",
                ClientNonce = _nonce,
                RequestedSessionTimeout = LongMs,
            }, cancellation);
        if (created is null || status.IsBad)
            return Refused(status);
        _token = created.AuthenticationToken;
        (status, _) = await channel.AskAsync<ActivateSessionResponse>(
            _token, new ActivateSessionRequest(), cancellation);
        if (status.IsBad)
            return Refused(status);
        Sessions++;
        return true;
    }

    /// <summary>Of the last session. False: refused.</summary>
    public async Task<bool> TrySubscribeAsync()
    {
        var (status, _) = await channel.AskAsync<CreateSubscriptionResponse>(
            _token, new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = PublishingIntervalMs,
                RequestedLifetimeCount = LongLifetime,
                RequestedMaxKeepAliveCount = LongLifetime / 3,
            }, cancellation);
        if (status.IsBad)
            return Refused(status);
        Subscriptions++;
        return true;
    }

    /// <summary>CloseSession without DeleteSubscriptions.</summary>
    public Task DetachAsync() => channel.AskAsync<CloseSessionResponse>(
        _token, new CloseSessionRequest { DeleteSubscriptions = false }, cancellation);

    public void Dispose() => channel.Dispose();

    private bool Refused(StatusCode status)
    {
        Refusal = status;
        return false;
    }
}
