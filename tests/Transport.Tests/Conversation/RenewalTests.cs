using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class RenewalTests
{
    private static readonly SecurityPolicy Policy = SecurityPolicies.Basic256Sha256;

    [Fact]
    public async Task OPN_Renewed_OldTokenAcceptedUntilFirstUse()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server);
        var old = client.TokenId;
        await client.OpenNoneAsync(SecurityTokenRequestType.Renew);

        await client.SendMessageAsync(new byte[10], tokenId: old);
        await client.SendMessageAsync(new byte[10]);
        Assert.Equal(2, server.Handler.Count);
        await client.SendMessageAsync(new byte[10], tokenId: old);

        Assert.Equal(StatusCodes.BadSecureChannelTokenUnknown, (await client.ReadErrorAsync()).Code);
        Assert.Equal(2, server.Handler.Count);
    }

    [Fact]
    public async Task OPN_Renewed_ServerSealsWithTheNewTokenOnlyAfterItsFirstUse()
    {
        using var server = new TestServer(echo: true);
        var client = await RawClient.OpenNoneAsync(server);
        var old = client.TokenId;
        await client.OpenNoneAsync(SecurityTokenRequestType.Renew);

        await client.SendMessageAsync(new byte[10], tokenId: old);
        Assert.Equal(old, TokenOf(await client.ReadFrameAsync()));
        await client.SendMessageAsync(new byte[10]);
        Assert.Equal(client.TokenId, TokenOf(await client.ReadFrameAsync()));
    }

    [Fact]
    public async Task OPN_RenewedTwiceBeforeUse_NewestWorks()
    {
        using var server = new TestServer(echo: true);
        var client = await RawClient.OpenNoneAsync(server);
        await client.OpenNoneAsync(SecurityTokenRequestType.Renew);
        await client.OpenNoneAsync(SecurityTokenRequestType.Renew);

        await client.SendMessageAsync(new byte[10]);

        Assert.Equal(client.TokenId, TokenOf(await client.ReadFrameAsync()));
        Assert.Equal(2, server.Counters.Renewals);
        Assert.Equal(2, server.Handler.Renewals);
    }

    [Fact]
    public async Task MSG_OldTokenAQuarterOverItsLifetime_Refused()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server, lifetimeMs: 10_000);
        (await server.Handler.Opened).HasActiveSession = true;
        var old = client.TokenId;
        server.Time.Advance(TimeSpan.FromSeconds(8));
        await client.OpenNoneAsync(SecurityTokenRequestType.Renew, 10_000);
        server.Time.Advance(TimeSpan.FromSeconds(4));
        await client.SendMessageAsync(new byte[10], tokenId: old);
        Assert.Equal(1, server.Handler.Count);
        server.Time.Advance(TimeSpan.FromSeconds(1));
        await client.SendMessageAsync(new byte[10], tokenId: old);

        Assert.Equal(StatusCodes.BadSecureChannelTokenUnknown, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.TokenExpired));
    }

    [Fact]
    public async Task MSG_NoRenewal_ChannelEndsAQuarterOverTheLifetimeWhateverTheWallClock()
    {
        using var server = new TestServer();
        var client = await RawClient.OpenNoneAsync(server, lifetimeMs: 100_000);
        var channel = await server.Handler.Opened;
        channel.HasActiveSession = true;
        server.Time.MoveWallClock(TimeSpan.FromDays(3650));
        server.Time.Advance(TimeSpan.FromSeconds(124));
        Assert.True(channel.IsOpen);
        server.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.TokenExpired));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(10 * 365 * 24)]
    [InlineData(-10 * 365 * 24)]
    public async Task Client_AtThreeQuarters_RenewsByItselfWhateverTheWallClock(double jumpHours)
    {
        using var server = new TestServer(echo: true);
        var (channel, handler) = await server.OpenAsync(
            Policy, MessageSecurityMode.SignAndEncrypt, lifetime: TimeSpan.FromSeconds(100));
        (await server.Handler.Opened).HasActiveSession = true;
        for (var round = 1; round <= 3; round++)
        {
            server.Time.MoveWallClock(TimeSpan.FromHours(round % 2 == 0 ? -jumpHours : jumpHours));
            server.Time.Advance(TimeSpan.FromSeconds(74));
            Assert.Equal(2 * (round - 1), server.Counters.Renewals);
            server.Time.Advance(TimeSpan.FromSeconds(2));
            await UntilAsync(() => server.Counters.Renewals == 2 * round);
            SendTests.Send(channel, new byte[100], (uint)round);
            Assert.Equal((uint)round, (await handler.NextAsync()).RequestId);
        }

        Assert.True(channel.IsOpen);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task OPN_RenewedWithAnotherCertificateOrMode_Refused(bool otherCertificate)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.OpenSecuredAsync(
            Policy, MessageSecurityMode.Sign, SecurityTokenRequestType.Issue, Wire.Nonce());
        var from = otherCertificate ? TestCertificates.Get("other") : TestCertificates.Client;
        var mode = otherCertificate ? MessageSecurityMode.Sign : MessageSecurityMode.SignAndEncrypt;
        var body = Wire.OpenBody(SecurityTokenRequestType.Renew, mode, Wire.Nonce());
        await client.SendAsync(
            Wire.Sealer(Policy, from, TestCertificates.Server).Seal(client.ChannelId, 2, 2, body));

        Assert.Equal(
            otherCertificate ? StatusCodes.BadSecurityChecksFailed : StatusCodes.BadSecurityModeRejected,
            (await client.ReadErrorAsync()).Code);
    }

    [Fact]
    public async Task OPN_Replayed_Refused()
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, Wire.Nonce());
        var open = Wire.Sealer(Policy, TestCertificates.Client, TestCertificates.Server).Seal(0, 1, 1, body);
        await client.SendAsync(open);
        await client.ReadFrameAsync();
        await client.SendAsync(open);

        Assert.Equal(StatusCodes.BadTcpSecureChannelUnknown, (await client.ReadErrorAsync()).Code);
    }

    [Theory]
    [InlineData(0u, 3_600_000u)]
    [InlineData(1u, 1_000u)]
    [InlineData(60_000u, 60_000u)]
    [InlineData(uint.MaxValue, 3_600_000u)]
    public async Task OPN_RequestedLifetime_RevisedWithinTheLimits(uint requested, uint revised)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();

        var response = await client.OpenSecuredAsync(
            Policy, MessageSecurityMode.Sign, SecurityTokenRequestType.Issue, Wire.Nonce(), lifetimeMs: requested);

        Assert.Equal(revised, response.SecurityToken.RevisedLifetime);
        Assert.Equal(32, response.ServerNonce!.Length);
        Assert.Equal(7u, response.ResponseHeader.RequestHandle);
    }

    private static uint TokenOf(byte[] frame) => BitConverter.ToUInt32(frame, 12);

    /// <summary>For what a lane worker does at its own pace.</summary>
    internal static async Task UntilAsync(Func<bool> condition)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (!condition() && TimeProvider.System.GetElapsedTime(start) < Patience.Limit)
            await Task.Yield();
        Assert.True(condition());
    }
}
