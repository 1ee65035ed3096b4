using Gateway.Codec;

namespace Gateway.Host.Tokens;

/// <summary>Every limit of the keys that tokens are checked with, each finite; keys below <c>Limits:</c>. The size of
/// a token: <see cref="Server.ServerLimits.MaxTokenBytes"/>.</summary>
internal sealed record TokenLimits
{
    /// <summary>The file or the answer that holds the keys.</summary>
    [CopiedAtStart]
    public int MaxTokenKeysBytes { get; init; } = 256 * 1024;

    /// <summary>Keys in it; one with more is not taken over.</summary>
    [CopiedAtStart]
    public int MaxTokenKeys { get; init; } = 64;

    /// <summary>Tokens that were right and are not checked again until they end, in each of two generations.</summary>
    [CopiedAtStart]
    public int MaxKnownTokens { get; init; } = 4_096;

    /// <summary>From one look at <c>Jwt:KeysUrl</c> to the next.</summary>
    [CopiedAtStart]
    public TimeSpan TokenKeysInterval { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>No sooner after the last look, for a token whose key is not known (R42).</summary>
    [CopiedAtStart]
    public TimeSpan TokenKeysMinInterval { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The longest that one look at <c>Jwt:KeysUrl</c> may take, with its retries.</summary>
    [CopiedAtStart]
    public TimeSpan TokenKeysDeadline { get; init; } = TimeSpan.FromSeconds(10);
}
