using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Sessions;

/// <summary>A session taken to another channel, by each combination of certificate, user, policy and mode: only its
/// own client and user get it. Source: Part 4 §5.7.3.</summary>
public sealed class RebindMatrixTests : IDisposable
{
    private const string Owner = "operator";

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<bool, string, string, MessageSecurityMode> Combinations
    {
        get
        {
            var all = new TheoryData<bool, string, string, MessageSecurityMode>();
            foreach (var isOwnCertificate in new[] { true, false })
                foreach (var user in new[] { Owner, "engineer", "" })
                    foreach (var policy in new[] { "Basic256Sha256", "Aes256_Sha256_RsaPss", "None" })
                        foreach (var mode in new[] { MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt })
                            all.Add(isOwnCertificate, user, policy, mode);
            return all;
        }
    }

    [Theory]
    [MemberData(nameof(Combinations))]
    public async Task ActivateSession_OnAnotherChannel_ByItsClientAndUserOnly(
        bool isOwnCertificate, string user, string policy, MessageSecurityMode mode)
    {
        var owner = _fixture.Connect(SecurityPolicies.Basic256Sha256);
        await owner.CreateSessionAsync();
        await owner.ActivateAsync(Owner);
        var other = _fixture.Connect(
            SecurityPolicies.All.Single(one => one.Name == policy), mode,
            isOwnCertificate ? TestCertificates.Client : TestCertificates.OtherClient);
        other.TakeOver(owner);
        var activation = other.NewActivation(user.Length == 0 ? null : user);
        var isOwnChannelKind =
            isOwnCertificate && policy == "Basic256Sha256" && mode == MessageSecurityMode.SignAndEncrypt;

        if (isOwnChannelKind && user == Owner)
        {
            await other.CallAsync<ActivateSessionResponse>(activation);
            Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await owner.FaultAsync(new ReadRequest()));
            Assert.True(await CanReadAsync(other));
            return;
        }

        Assert.Equal(
            isOwnChannelKind ? StatusCodes.BadIdentityChangeNotSupported : StatusCodes.BadSecurityChecksFailed,
            await other.FaultAsync(activation));
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await other.FaultAsync(new ReadRequest()));
        Assert.True(await CanReadAsync(owner));
    }

    /// <summary>Over Sign a listener reads both messages. On a channel of its own the first is refused for its
    /// certificate; sent by the client's own channel again it makes a session that the second does not open.</summary>
    [Fact]
    public async Task CreateSession_Replayed_NoSessionThatTheRecordedActivationOpens()
    {
        var client = _fixture.Connect(SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign);
        var creation = client.NewSession();
        await client.CreateSessionAsync(creation);
        var activation = client.NewActivation(Owner);
        await client.CallAsync<ActivateSessionResponse>(activation);
        var listener = _fixture.Connect(
            SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign, TestCertificates.OtherClient);
        var again = _fixture.Connect(SecurityPolicies.Basic256Sha256, MessageSecurityMode.Sign);

        Assert.Equal(StatusCodes.BadSecurityChecksFailed, await listener.FaultAsync(creation));
        var session = await again.CreateSessionAsync(creation);
        Assert.NotEqual(client.Token, session.AuthenticationToken);
        Assert.NotEqual(client.Session!.ServerNonce, session.ServerNonce);
        Assert.Equal(StatusCodes.BadApplicationSignatureInvalid, await again.FaultAsync(activation));
        Assert.Equal(1, _fixture.Server.Counters.ActivatedSessions);
        Assert.True(await CanReadAsync(client));
    }

    private static async Task<bool> CanReadAsync(TestClient client)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Neither,
            NodesToRead = [new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value }],
        });
        return response.Results!.Single().Status.IsGood;
    }
}
