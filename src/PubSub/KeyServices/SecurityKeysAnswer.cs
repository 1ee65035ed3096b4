using Gateway.Codec.Types;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.KeyServices;

/// <summary>The result of GetSecurityKeys: the current key first, then future ones. Immutable. Source: Part 14 §8.3.2.
/// </summary>
internal sealed class SecurityKeysAnswer
{
    private const int Outputs = 5;

    private static readonly TimeSpan Longest = TimeSpan.FromDays(365);

    private SecurityKeysAnswer(
        PubSubSecurityPolicy policy, uint firstToken, IReadOnlyList<byte[]> keys, TimeSpan toNext, TimeSpan lifetime) =>
        (Policy, FirstToken, Keys, ToNext, Lifetime) = (policy, firstToken, keys, toNext, lifetime);

    public PubSubSecurityPolicy Policy { get; }

    public uint FirstToken { get; }

    public IReadOnlyList<byte[]> Keys { get; }

    /// <summary>From the answer until the second key takes the first one's place.</summary>
    public TimeSpan ToNext { get; }

    public TimeSpan Lifetime { get; }

    /// <summary>The token of a key; after the largest number comes 1.</summary>
    public uint TokenOf(int index) => (uint)(((FirstToken - 1UL + (ulong)index) % uint.MaxValue) + 1);

    /// <param name="outputs">Of the method: any server may have sent them.</param>
    /// <exception cref="KeyServiceException">It holds no keys that can be used.</exception>
    public static SecurityKeysAnswer Of(IReadOnlyList<Variant> outputs)
    {
        if (outputs.Count != Outputs)
            throw Wrong($"{outputs.Count} outputs in place of {Outputs}");
        var uri = outputs[0].AsString();
        if (PubSubSecurityPolicy.Find(uri) is not { } policy)
            throw Wrong($"the policy '{Cut(uri)}', and not {PubSubSecurityPolicy.Aes128Ctr.Name} or " +
                PubSubSecurityPolicy.Aes256Ctr.Name);
        var firstToken = outputs[1].Type == BuiltInType.UInt32 && outputs[1].IsScalar ? outputs[1].AsUInt32() : 0;
        if (firstToken == 0)
            throw Wrong("no token of the first key");
        var keys = outputs[2].AsArray<byte[]>();
        if (keys is not { Length: > 0 and < SecurityKeySet.MaxKeys })
            throw Wrong($"{keys?.Length ?? 0} keys");
        if (Array.Exists(keys, key => key?.Length != policy.KeyDataBytes))
            throw Wrong($"a key that has not the {policy.KeyDataBytes} bytes of {policy.Name}");
        return new SecurityKeysAnswer(
            policy, firstToken, keys, DurationOf(outputs[3], "TimeToNextKey"), DurationOf(outputs[4], "KeyLifetime"));
    }

    private static TimeSpan DurationOf(in Variant output, string name)
    {
        var ms = output.Type == BuiltInType.Double ? output.AsDouble() : double.NaN;
        if (!(ms >= 0))
            throw Wrong($"{name} is no time");
        return ms > Longest.TotalMilliseconds ? Longest : TimeSpan.FromMilliseconds(ms);
    }

    private static string Cut(string? text) => text is { Length: > 100 } ? text[..100] : text ?? "";

    private static KeyServiceException Wrong(string what) =>
        new(KeyServiceProblem.WrongAnswer, $"its answer has {what}");
}
