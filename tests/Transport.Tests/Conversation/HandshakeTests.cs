using Gateway.Admission.Stages;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;
using Microsoft.Extensions.Logging;
using TestPki = Gateway.Transport.Tests.Certificates.TestPki;

namespace Gateway.Transport.Tests.Conversation;

public sealed class HandshakeTests
{
    public static TheoryData<string, MessageSecurityMode> PoliciesAndModes
    {
        get
        {
            var data = new TheoryData<string, MessageSecurityMode> { { "None", MessageSecurityMode.None } };
            foreach (var policy in SecurityPolicies.All.Where(p => !p.IsNone))
            {
                data.Add(policy.Name, MessageSecurityMode.Sign);
                data.Add(policy.Name, MessageSecurityMode.SignAndEncrypt);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(PoliciesAndModes))]
    public async Task Connect_EachPolicyAndMode_MessagesOfEverySizeComeBack(string name, MessageSecurityMode mode)
    {
        SecurityPolicies.TryGetByName(name, out var policy);
        using var server = new TestServer(echo: true);
        var (channel, handler) = await server.OpenAsync(policy!, mode);
        (await server.Handler.Opened).HasActiveSession = true;

        uint requestId = 0;
        foreach (var size in new[] { 1, 15, 16, 17, 192, 8191, 65411, 65412, 65463, 65464, 65512, 65513, 300_000 })
        {
            var sent = Body(size);
            Assert.Equal(StatusCode.Good, Send(channel, sent, ++requestId));
            var (id, message) = await handler.NextAsync();
            Assert.Equal(requestId, id);
            Assert.Equal(sent, message);
        }

        Assert.Equal(policy!.IsNone ? "" : TestCertificates.Client.Thumbprint, server.Handler.Channel!.PeerThumbprint);
        Assert.Equal(policy.IsNone ? [] : TestCertificates.Server.Der, channel.PeerCertificate);
        Assert.Equal("opc.tcp://test:4840", server.Handler.Channel.EndpointUrl);
        channel.Close();
    }

    [Fact]
    public async Task Close_ByTheClient_BothHandlersSeeGoodOnce()
    {
        using var server = new TestServer();
        var (client, ended) = server.Connect();
        var handler = new RecordingHandler();
        var options = new ClientChannelOptions { EndpointUrl = "opc.tcp://test:4840", Validator = null };
        var channel = await ClientChannel.OpenAsync(client, server.Context, options, handler, default);

        channel.Close();
        await ended.WaitAsync(Patience.Limit);

        Assert.Equal([StatusCode.Good], server.Handler.Closes);
        Assert.False(channel.IsOpen);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.PeerClosed));
        Assert.Equal(StatusCodes.BadSecureChannelClosed, Send(channel, Body(10), 1).Code);
    }

    [Fact]
    public async Task Connect_CertificateRefused_OnlySecurityChecksFailedIsSeen()
    {
        using var server = new TestServer();
        server.Validator.Refused = TestCertificates.Client.Der;
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, Wire.Nonce());
        var sealer = Wire.Sealer(SecurityPolicies.Basic256Sha256, TestCertificates.Client, TestCertificates.Server);
        await client.SendAsync(sealer.Seal(0, 1, 1, body));

        Assert.Equal(StatusCodes.BadSecurityChecksFailed, (await client.ReadErrorAsync()).Code);
        Assert.Equal("Security checks failed", client.LastReason);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.CertificateRejected));
        Assert.Empty(server.Handler.Closes);
        var decision = Assert.Single(server.Context.Admission.Decisions.Snapshot());
        Assert.Equal(RefusalReason.CertificateRefused, decision.Reason);
        Assert.Equal(AdmissionStage.Open, decision.Stage);
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, decision.Status.Code);
    }

    /// <summary>Of all that looks at it, one tells the operator.</summary>
    [Fact]
    public async Task Connect_CertificateNotTrusted_OneLineSaysSo()
    {
        await using var pki = new TestPki();
        using var server = new TestServer(validator: pki.Validator(), loggers: pki.Loggers);

        await Assert.ThrowsAsync<ChannelConnectException>(
            () => server.OpenAsync(SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign));
        await server.Ended.WaitAsync(Patience.Limit);

        var line = Assert.Single(pki.Logs.Lines, one => one.Text.Contains(
            TestCertificates.Client.Thumbprint, StringComparison.OrdinalIgnoreCase));
        Assert.Contains("CertificateRejected", line.Text, StringComparison.Ordinal);
        Assert.Single(pki.Logs.Lines, one => one.Level >= LogLevel.Warning);
    }

    [Fact]
    public async Task Connect_NoneNotOffered_ChannelIsForDiscoveryOnly()
    {
        using var server = new TestServer(policies: [SecurityPolicies.Basic256Sha256]);
        await RawClient.OpenNoneAsync(server);

        Assert.True((await server.Handler.Opened).IsDiscoveryOnly);
    }

    [Fact]
    public async Task Connect_PolicyNotOffered_PolicyRejected()
    {
        using var server = new TestServer(policies: [SecurityPolicies.Basic256Sha256]);
        var e = await Assert.ThrowsAsync<ChannelConnectException>(
            () => server.OpenAsync(SecurityPolicies.Aes256Sha256RsaPss, MessageSecurityMode.Sign));

        Assert.Equal(StatusCodes.BadSecurityPolicyRejected, e.Status.Code);
        await server.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.SecurityPolicyRejected));
    }

    [Theory]
    [InlineData(3072)]
    [InlineData(4096)]
    public async Task Connect_KeysOver2048Bits_ExtraPaddingIsUnderstood(int keyBits)
    {
        var certificate = TestCertificates.Get("large server", keyBits);
        using var server = new TestServer(echo: true, certificate: () => certificate);
        foreach (var policy in SecurityPolicies.All.Where(p => !p.IsNone))
        {
            var (channel, handler) = await server.OpenAsync(policy, MessageSecurityMode.SignAndEncrypt);
            Send(channel, Body(100), 1);
            Assert.Equal(Body(100), (await handler.NextAsync()).Message);
        }
    }

    private static StatusCode Send(SecureChannel channel, byte[] body, uint requestId)
    {
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        buffer.Write(body);
        var status = channel.Send(buffer, requestId);
        channel.Flush();
        return status;
    }

    private static byte[] Body(int size)
    {
        var body = new byte[size];
        new Random(size).NextBytes(body);
        return body;
    }
}
