using System.Diagnostics.Metrics;
using Gateway.Admission.Stages;
using Gateway.Server.Users;

namespace Gateway.Host.Tokens;

/// <summary>Tokens and their keys, on meter <c>Gateway.Tokens</c>. Threads: any.</summary>
internal sealed class TokenCounters : IDisposable
{
    private static readonly string[] Faults = EnumLabels.Of<TokenFault>();

    private readonly Meter _meter = new("Gateway.Tokens");
    private readonly long[] _refused = new long[Faults.Length];
    private long _accepted;
    private long _keysAsked;
    private long _keysLoaded;
    private long _keysFailed;
    private int _keys;
    private int _keysUnusable;

    /// <summary>That tokens are checked with now.</summary>
    public int Keys
    {
        get => Volatile.Read(ref _keys);
        set => Volatile.Write(ref _keys, value);
    }

    /// <summary>Of the present set: left out, because they are of no use.</summary>
    public int KeysUnusable
    {
        get => Volatile.Read(ref _keysUnusable);
        set => Volatile.Write(ref _keysUnusable, value);
    }

    /// <summary>Requests that were sent to <c>Jwt:KeysUrl</c>.</summary>
    public long KeysAskedFor => Volatile.Read(ref _keysAsked);

    /// <summary>Key sets that were of no use.</summary>
    public long KeysFailures => Volatile.Read(ref _keysFailed);

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_tokens_accepted_total", () => Volatile.Read(ref _accepted), null,
            "Tokens of the authorization service that were let in, on each request.");
        _meter.CreateObservableCounter("gateway_tokens_refused_total", RefusedByFault, null,
            "Tokens that were refused, by what is wrong with them.");
        _meter.CreateObservableGauge("gateway_token_keys", () => Keys, null,
            "Keys that tokens are checked with now.");
        _meter.CreateObservableGauge("gateway_token_keys_unusable", () => KeysUnusable, null,
            "Keys of the present set that were left out, because they are of no use.");
        _meter.CreateObservableCounter("gateway_token_keys_requests_total", () => KeysAskedFor, null,
            "Requests for keys to the authorization service.");
        _meter.CreateObservableCounter("gateway_token_keys_loads_total", () => Volatile.Read(ref _keysLoaded), null,
            "Times that the keys were taken over anew.");
        _meter.CreateObservableCounter("gateway_token_keys_failures_total", () => KeysFailures, null,
            "Times that the keys could not be had or not be used; the ones before stayed.");
    }

    public long Refused(TokenFault fault) => Volatile.Read(ref _refused[(int)fault]);

    public void Accepted() => Interlocked.Increment(ref _accepted);

    public void Refuse(TokenFault fault) => Interlocked.Increment(ref _refused[(int)fault]);

    public void KeysAsked() => Interlocked.Increment(ref _keysAsked);

    public void KeysLoaded(TokenKeySet keys)
    {
        (Keys, KeysUnusable) = (keys.Count, keys.Unusable.Count);
        Interlocked.Increment(ref _keysLoaded);
    }

    public void KeysFailed() => Interlocked.Increment(ref _keysFailed);

    public void Dispose() => _meter.Dispose();

    private IEnumerable<Measurement<long>> RefusedByFault()
    {
        for (var fault = 1; fault < _refused.Length; fault++)
            yield return new Measurement<long>(
                Volatile.Read(ref _refused[fault]), new KeyValuePair<string, object?>("reason", Faults[fault]));
    }
}
