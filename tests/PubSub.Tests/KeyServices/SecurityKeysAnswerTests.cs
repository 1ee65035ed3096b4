using Gateway.Codec.Types;
using Gateway.PubSub.KeyServices;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Tests.KeyServices;

/// <summary>An answer is input like any other (R42).</summary>
public sealed class SecurityKeysAnswerTests
{
    private static readonly string Policy = PubSubSecurityPolicy.Aes256Ctr.Uri;

    public static TheoryData<string, Variant[]> Wrong => new()
    {
        { "0 outputs", [] },
        { "the policy 'None'", Outputs(policy: "None") },
        { "the policy ''", Outputs(policy: null) },
        { "no token", Outputs(token: new Variant(0u)) },
        { "no token", Outputs(token: new Variant("1")) },
        { "0 keys", Outputs(keys: []) },
        { "64 keys", Outputs(keys: [.. Enumerable.Repeat(Key(), 64)]) },
        { "a key that has not the 68 bytes", Outputs(keys: [Key(), new byte[52]]) },
        { "a key that has not the 68 bytes", Outputs(keys: [null!]) },
        { "TimeToNextKey is no time", Outputs(toNext: new Variant(double.NaN)) },
        { "TimeToNextKey is no time", Outputs(toNext: new Variant(-1.0)) },
        { "KeyLifetime is no time", Outputs(lifetime: new Variant("long")) },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Of_WrongAnswer_IsATypedError(string words, Variant[] outputs)
    {
        var error = Assert.Throws<KeyServiceException>(() => SecurityKeysAnswer.Of(outputs));

        Assert.Equal(KeyServiceProblem.WrongAnswer, error.Problem);
        Assert.Contains(words, error.Message, StringComparison.Ordinal);
    }

    /// <summary>Whatever a service says, no time overflows.</summary>
    [Fact]
    public void Of_EndlessTimes_AreAYear()
    {
        var answer = SecurityKeysAnswer.Of(Outputs(
            toNext: new Variant(double.MaxValue), lifetime: new Variant(double.PositiveInfinity)));

        Assert.Equal((TimeSpan.FromDays(365), TimeSpan.FromDays(365)), (answer.ToNext, answer.Lifetime));
    }

    [Fact]
    public void TokenOf_AfterTheLargest_IsOne()
    {
        var answer = SecurityKeysAnswer.Of(Outputs(token: new Variant(uint.MaxValue), keys: [Key(), Key(), Key()]));

        Assert.Equal([uint.MaxValue, 1u, 2u], Enumerable.Range(0, 3).Select(answer.TokenOf));
    }

    internal static byte[] Key(byte seed = 1) => [.. Enumerable.Range(0, 68).Select(i => (byte)(seed + i))];

    internal static Variant[] Outputs(
        string? policy = "", Variant? token = null, byte[][]? keys = null, Variant? toNext = null,
        Variant? lifetime = null) =>
    [
        new(policy?.Length == 0 ? Policy : policy), token ?? new Variant(7u),
        Variant.FromArray(BuiltInType.ByteString, keys ?? [Key()]), toNext ?? new Variant(1000.0),
        lifetime ?? new Variant(5000.0),
    ];
}
