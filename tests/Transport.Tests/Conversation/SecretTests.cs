using System.Buffers;
using Gateway.Codec.Pooling;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

/// <summary>A buffer that held a password, a nonce or a decrypted message is clear when its next user gets it (R39).
/// Each part runs on the test's own thread, whose place in the pool the array returns to.</summary>
public sealed class SecretTests
{
    private static ReadOnlySpan<byte> Secret => "correct horse battery staple"u8;

    [Fact]
    public void Pool_UnclearedBuffer_IsFound()
    {
        var array = ArrayPool<byte>.Shared.Rent(1024);
        Secret.CopyTo(array.AsSpan(100));
        ArrayPool<byte>.Shared.Return(array);

        Assert.True(PoolHoldsSecret());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2000)]
    public void Assembler_MessageOfManyChunks_ReturnsItsBufferClear(int chunks)
    {
        PoolHoldsSecret();
        using var assembler = new MessageAssembler();
        for (var i = 0; i < chunks; i++)
            assembler.Add(1, Secret, 1 << 20);
        Assert.True(assembler.Join().EndsWith(Secret));

        assembler.Reset();

        Assert.False(PoolHoldsSecret());
    }

    [Theory]
    [InlineData("None")]
    [InlineData("Basic256Sha256")]
    public void OPN_SealedAndOpened_LeavesNoNonce(string name)
    {
        PoolHoldsSecret();
        SecurityPolicies.TryGetByName(name, out var policy);
        var sealer = Wire.Sealer(policy!, TestCertificates.Client, TestCertificates.Server);
        var chunk = sealer.Seal(0, 1, 1, Secret);
        var header = AsymmetricHeader.Read(chunk, new Gateway.Transport.Hosting.TransportLimits());
        var opened = AsymmetricUnsealer.Unseal(
            policy!, chunk, header.End, TestCertificates.Server.PrivateKey, TestCertificates.Client.PrivateKey);
        Assert.True(opened.Body.Span.SequenceEqual(Secret));

        opened.Erase();

        Assert.False(opened.Body.Span.ContainsAnyExcept((byte)0));
        Assert.False(PoolHoldsSecret());
    }

    [Fact]
    public async Task MSG_Handled_LeavesTheThreadsScratchClear()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);

        await client.SendMessageAsync(Secret.ToArray());

        Assert.Equal(Secret.ToArray(), (await server.Handler.NextAsync()).Message);
        Assert.False(ScratchHoldsSecret());
    }

    private static bool ScratchHoldsSecret()
    {
        var scratch = ScratchBuffer.Take(1);
        var holds = scratch.AsSpan().IndexOf(Secret) >= 0;
        ScratchBuffer.Return(scratch);
        return holds;
    }

    /// <summary>Looks at what the pool hands out next, and leaves it clear.</summary>
    private static bool PoolHoldsSecret()
    {
        var found = false;
        for (var size = 16; size <= 1 << 21; size *= 2)
        {
            var arrays = Enumerable.Range(0, 8).Select(_ => ByteArrays.Rent(size)).ToList();
            foreach (var array in arrays)
            {
                found |= array.AsSpan().IndexOf(Secret) >= 0;
                ByteArrays.Return(array, clear: true);
            }
        }

        return found;
    }
}
