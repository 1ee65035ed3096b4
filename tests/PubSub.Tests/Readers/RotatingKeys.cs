using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>The keys of a group that a test changes.</summary>
internal sealed class RotatingKeys : ISecurityKeySource
{
    public SecurityKeySet? Current { get; private set; } = new(PubSubSecurityPolicy.Aes256Ctr, [KeyOf(1)]);

    /// <summary>The next one is in use.</summary>
    public void Rotate() => Current = new SecurityKeySet(PubSubSecurityPolicy.Aes256Ctr, [KeyOf(1), KeyOf(2)]);

    private static SecurityKey KeyOf(byte token) => new(
        PubSubSecurityPolicy.Aes256Ctr, token,
        [.. Enumerable.Range(token - 1, 68).Select(static i => (byte)i)]);
}
