using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Sockets;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

/// <summary>OPN on a lane whose worker is the test.</summary>
public sealed class OpenAdmissionTests
{
    private static readonly TransportLimits ByHand = new()
    {
        PrivateKeyWorkers = 0,
        FailureAnswerStep = TimeSpan.Zero,
    };

    private static readonly SecurityPolicy Policy = SecurityPolicies.Basic256Sha256;

    [Fact]
    public async Task OPN_WaitedTooLong_ToldWhenToComeBack()
    {
        using var server = new TestServer(ByHand);
        var client = await SendOpenAsync(server);
        server.Time.Advance(ByHand.PrivateKeyDeadline + TimeSpan.FromMilliseconds(1));
        server.Context.PrivateKeys.Look(TimeSpan.Zero);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await client.ReadErrorAsync()).Code);
        Assert.StartsWith("RetryAfterMs=", client.LastReason, StringComparison.Ordinal);
        Assert.Equal(1, Shed(server, RefusalReason.WaitedTooLong));
        Assert.Equal(0, server.Validator.Calls);
        Assert.Equal(0, server.Admission.Window.Used);
    }

    /// <summary>Checks of its chain cost the address, a fifth of a private-key operation each, whether or not the
    /// certificate passes.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task OPN_ChainTakesSignatureChecks_ItsAddressPays(bool isRefused)
    {
        Assert.Equal(5 * AdmissionControl.PriceOfCheck, await PaidAsync(5) - await PaidAsync(0), 9);

        async Task<double> PaidAsync(int checks)
        {
            using var server = new TestServer(validator: new FixedValidator
            {
                SignatureChecks = checks,
                Refused = isRefused ? TestCertificates.Client.Der : null,
            });
            var open = server.OpenAsync(Policy, MessageSecurityMode.Sign);
            if (isRefused)
                await Assert.ThrowsAsync<ChannelConnectException>(() => open);
            else
                await open;
            return Assert.Single(server.Admission.Clients.Addresses).LaneShare.Finish;
        }
    }

    [Fact]
    public async Task OPN_LaneFull_KnownOneTakesAStrangersPlace()
    {
        using var server = new TestServer(new TransportLimits { PrivateKeyWorkers = 0, MaxPrivateKeyQueueLength = 1 });
        var known = TestCertificates.Get("known");
        MarkKnown(server, known);
        var stranger = await SendOpenAsync(server);
        await SendOpenAsync(server, known);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await stranger.ReadErrorAsync()).Code);
        Assert.Equal(1, Shed(server, RefusalReason.Displaced));
        Assert.Equal(1, server.Context.PrivateKeys.WaitingIn(LaneClass.Known));
    }

    [Fact]
    public async Task OPN_PeerHangsUpWhileItWaits_TakenOutUnserved()
    {
        using var server = new TestServer(ByHand);
        await using var pair = await SocketPair.ConnectAsync();
        var ended = server.Connections.OnConnectedAsync(pair.Link);
        await pair.Peer.SendAsync(Wire.Hello());
        await pair.Peer.ReceiveAsync(new byte[100]);
        await pair.Peer.SendAsync(OpenFrom(TestCertificates.Client, TestCertificates.Client));
        pair.Peer.Close();
        await ended.WaitAsync(Patience.Limit);

        Assert.Equal(1, Shed(server, RefusalReason.GaveUp));
        Assert.Equal(0, server.Context.PrivateKeys.QueueLength);
        Assert.False(server.Context.PrivateKeys.Pump());
        Assert.Equal(0, server.Validator.Calls);
        Assert.Equal(0, server.Admission.Window.Used);
        Assert.Equal(1, server.Counters.Closes(ChannelCloseReason.PeerClosed));
    }

    [Fact]
    public async Task OPN_ConnectionEndedWhileItWaits_LeavesTheLane()
    {
        using var server = new TestServer(ByHand);
        var client = await SendOpenAsync(server);
        server.Connections.CloseAll();

        Assert.Equal(StatusCodes.BadShutdown, (await client.ReadErrorAsync()).Code);
        Assert.Equal(0, server.Context.PrivateKeys.QueueLength);
        Assert.Equal(0, server.Validator.Calls);
    }

    [Fact]
    public async Task OPN_FalseClaim_CostsTheAddressAndNotTheCertificate()
    {
        using var server = new TestServer(ByHand);
        var lane = server.Context.PrivateKeys;
        MarkKnown(server, TestCertificates.Client);
        var liar = await SendOpenAsync(server, TestCertificates.Client, signer: TestCertificates.Get("liar"));
        Assert.Equal(1, lane.WaitingIn(LaneClass.Known));
        Assert.True(lane.Pump());
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, (await liar.ReadErrorAsync()).Code);

        var certificate = server.Admission.Clients.Certificate(TestCertificates.Client.Thumbprint);
        Assert.Equal(0, certificate.FalseClaims);
        Assert.Equal(0, certificate.Claims);
        var address = server.Admission.Clients.Address(System.Net.IPAddress.Loopback);
        Assert.Equal(1, address.FalseClaims);

        await SendOpenAsync(server);
        Assert.Equal(0, lane.WaitingIn(LaneClass.Known));
        Assert.Equal(1, lane.WaitingIn(LaneClass.Stranger));
    }

    /// <summary>R47: a certificate is a claim until its signature is right.</summary>
    [Fact]
    public async Task OPN_FalseClaim_NothingIsRememberedOfIt()
    {
        using var server = new TestServer(ByHand);
        var claimed = TestCertificates.Get("claimed by a liar");
        var liar = await SendOpenAsync(server, claimed, signer: TestCertificates.Get("liar"));
        Assert.True(server.Context.PrivateKeys.Pump());
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, (await liar.ReadErrorAsync()).Code);

        Assert.Equal(1, server.Validator.Calls);
        Assert.Equal(0, server.Validator.Proofs);
        Assert.False(PublicKeyCache.IsKnown(claimed.Der));

        await OpenAsync(server, new RawClient(server), claimed);
        Assert.Equal(1, server.Validator.Proofs);
        Assert.True(PublicKeyCache.IsKnown(claimed.Der));
    }

    [Fact]
    public async Task OPN_ManyClaimsOfOneCertificate_TheRestAreStrangers()
    {
        using var server = new TestServer(ByHand, admission: new AdmissionLimits { MaxClaimsPerCertificate = 2 });
        MarkKnown(server, TestCertificates.Client);
        for (var i = 0; i < 5; i++)
            await SendOpenAsync(server);

        Assert.Equal(2, server.Context.PrivateKeys.WaitingIn(LaneClass.Known));
        Assert.Equal(3, server.Context.PrivateKeys.WaitingIn(LaneClass.Stranger));
    }

    [Fact]
    public async Task OPN_CertificateAtItsCap_Refused()
    {
        using var server = new TestServer(ByHand, admission: new AdmissionLimits { MaxConnectionsPerCertificate = 1 });
        await OpenAsync(server, new RawClient(server));
        var second = await SendOpenAsync(server);
        Assert.True(server.Context.PrivateKeys.Pump());

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await second.ReadErrorAsync()).Code);
        Assert.Equal(1, Shed(server, RefusalReason.MaxConnectionsPerCertificate));
        var other = await SendOpenAsync(server, TestCertificates.Get("known"));
        Assert.True(server.Context.PrivateKeys.Pump());
        Assert.Equal((byte)'O', (await other.ReadFrameAsync())[0]);
    }

    [Fact]
    public async Task OPN_Served_CountedAndItsPlaceGivenBack()
    {
        using var server = new TestServer(ByHand);
        var client = await SendOpenAsync(server);
        Assert.Equal(1, server.Admission.Window.Used);
        Assert.Equal(1, server.Admission.Stages.Waiting(AdmissionStage.Open));
        server.Context.PrivateKeys.Pump();
        await client.ReadFrameAsync();

        Assert.Equal(0, server.Admission.Window.Used);
        Assert.Equal(1, server.Admission.Stages.Admitted(AdmissionStage.Open));
        Assert.Equal(0, server.Admission.Stages.Waiting(AdmissionStage.Open));
    }

    /// <summary>What is allocated until it waits bounds what it holds while it waits.</summary>
    [Fact]
    public async Task OPN_Waiting_HoldsItsChunkAndLittleMore()
    {
        using var server = new TestServer(ByHand);
        var open = OpenFrom(TestCertificates.Client, TestCertificates.Client);
        List<RawClient> clients = [];
        for (var i = 0; i < 10; i++)
        {
            var client = new RawClient(server);
            await client.SendAsync(Wire.Hello());
            await client.ReadFrameAsync();
            clients.Add(client);
        }

        var next = 0;
        var bytes = Allocations.Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Assert.True(clients[next++].SendAsync(open).AsTask().IsCompleted);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        });

        Assert.Equal(next, server.Context.PrivateKeys.QueueLength);
        Assert.InRange(bytes, open.Length, open.Length + 1500);
    }

    [Theory]
    [InlineData(0.5, LaneClass.Live)]
    [InlineData(0.05, LaneClass.Stranger)]
    public async Task OPN_Renewal_GoesFirstOnceItIsDue(double afterLifetimes, LaneClass expected)
    {
        using var server = new TestServer(ByHand);
        var client = new RawClient(server);
        await OpenAsync(server, client);
        server.Time.Advance(TimeSpan.FromSeconds(100 * afterLifetimes));
        var renewal = client.OpenSecuredAsync(
            Policy, MessageSecurityMode.Sign, SecurityTokenRequestType.Renew, Wire.Nonce(), lifetimeMs: 100_000);
        var waiting = server.Context.PrivateKeys.WaitingIn(expected);
        server.Context.PrivateKeys.Pump();
        await renewal;

        Assert.Equal(1, waiting);
        Assert.Equal(1, server.Admission.Stages.Admitted(AdmissionStage.Renew));
        Assert.Equal(1, server.Counters.Renewals);
    }

    private static async Task OpenAsync(
        TestServer server, RawClient client, ApplicationCertificate? certificate = null)
    {
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        var opening = client.OpenSecuredAsync(
            Policy, MessageSecurityMode.Sign, SecurityTokenRequestType.Issue, Wire.Nonce(), certificate,
            lifetimeMs: 100_000);
        Assert.True(server.Context.PrivateKeys.Pump());
        await opening;
    }

    private static async Task<RawClient> SendOpenAsync(
        TestServer server, ApplicationCertificate? certificate = null, ApplicationCertificate? signer = null)
    {
        var own = certificate ?? TestCertificates.Client;
        var client = new RawClient(server);
        await client.SendAsync(Wire.Hello());
        await client.ReadFrameAsync();
        await client.SendAsync(OpenFrom(own, signer ?? own));
        return client;
    }

    private static byte[] OpenFrom(ApplicationCertificate certificate, ApplicationCertificate signer)
    {
        var body = Wire.OpenBody(SecurityTokenRequestType.Issue, MessageSecurityMode.Sign, Wire.Nonce());
        var sealer = new AsymmetricSealer
        {
            Policy = Policy,
            SenderCertificate = certificate.ChainBlob,
            ReceiverThumbprint = TestCertificates.Server.ThumbprintBytes.ToArray(),
            PrivateKey = signer.PrivateKey,
            PeerKey = TestCertificates.Server.PrivateKey,
        };
        return sealer.Seal(0, 1, 1, body);
    }

    private static void MarkKnown(TestServer server, ApplicationCertificate certificate) =>
        server.Admission.Known.MarkActive(certificate.Thumbprint, new DateOnly(2026, 1, 1));

    private static long Shed(TestServer server, RefusalReason reason) =>
        server.Admission.Stages.Shedded(AdmissionStage.Open, reason);
}
