using System.Net;
using Gateway.Admission.Clients;
using Gateway.Codec.Binary;
using Gateway.Rest.Budgets;

namespace Gateway.Rest.Access;

/// <summary>The memory of one HTTP request, beside its body and the text of its answer: decoded values count in the
/// budget of all decoded requests, values of sources in that of all answers (R04, R43). The first bytes of
/// both are free of locks. Owner: the request, which gives all of it back at its end.</summary>
internal sealed class RequestMemory(
    DecodeBudget decoding, ByteBudget answers, ClientBook clients, IPAddress? address, long limitBytes)
    : IDecodeClient, IDisposable
{
    private DecodeMeter? _meter;
    private Holding? _answered;
    private volatile bool _wasRefused;

    /// <summary>For the readers of the request. One thread at a time.</summary>
    public DecodeMeter Meter => _meter ??= DecodeMeter.Rent(decoding, this);

    /// <summary>All answers together, not this one, left no room for what the sources answered.</summary>
    public bool WasRefused => _wasRefused;

    public DecodeHolders DecodeHolders => address is null
        ? default
        : new DecodeHolders(clients.Address(address).Decoding, null);

    /// <summary>The request has decoded as much as one may.</summary>
    public bool IsFull => _meter?.UsedBytes > limitBytes;

    /// <summary>Counts what no reader makes. False: above the limit of one request, or of all together.</summary>
    public bool TryHold(long bytes) => Meter.TryHold(bytes) && !IsFull;

    /// <summary>Before sources are asked: counts what they answer until the client has it.</summary>
    /// <returns>Counts so many bytes more. False: there is no room for them. Threads: any.</returns>
    public Func<long, bool> HoldAnswers()
    {
        var held = _answered ??= new Holding(answers, AddressKey.Of(address));
        return bytes =>
        {
            var isHeld = held.TryAdd(bytes);
            _wasRefused |= !isHeld;
            return isHeld;
        };
    }

    public void Dispose()
    {
        _meter?.Return();
        _meter = null;
        _answered?.Dispose();
        _answered = null;
    }
}
