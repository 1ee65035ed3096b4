using Gateway.Client.Discovery;
using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Client.Tests.Discovery;

public sealed class EndpointSelectorTests
{
    private static readonly EndpointDescription[] Offered =
    [
        Endpoint("http://opcfoundation.org/UA/SecurityPolicy#Basic128Rsa15", MessageSecurityMode.SignAndEncrypt, 250),
        Endpoint(SecurityPolicies.None.Uri, MessageSecurityMode.None, 200),
        Endpoint(SecurityPolicies.Basic256Sha256.Uri, MessageSecurityMode.Sign, 90),
        Endpoint(SecurityPolicies.Basic256Sha256.Uri, MessageSecurityMode.SignAndEncrypt, 10),
        Endpoint(SecurityPolicies.Aes256Sha256RsaPss.Uri, MessageSecurityMode.SignAndEncrypt, 30),
    ];

    [Fact]
    public void Choose_NothingAskedFor_StrongestThatWeKnow() =>
        Assert.Same(Offered[4], EndpointSelector.Choose(Offered, null, MessageSecurityMode.Invalid));

    [Fact]
    public void Choose_PolicyAskedFor_ItsBestMode() => Assert.Same(
        Offered[3],
        EndpointSelector.Choose(Offered, SecurityPolicies.Basic256Sha256.Uri, MessageSecurityMode.Invalid));

    [Fact]
    public void Choose_PolicyAndMode_ExactlyThat() => Assert.Same(
        Offered[2], EndpointSelector.Choose(Offered, SecurityPolicies.Basic256Sha256.Uri, MessageSecurityMode.Sign));

    [Fact]
    public void Choose_NothingAskedForAndOnlyWeakerOffered_Nothing() =>
        Assert.Null(EndpointSelector.Choose(Offered[1..3], null, MessageSecurityMode.Invalid));

    [Theory]
    [InlineData(MessageSecurityMode.Invalid)]
    [InlineData(MessageSecurityMode.None)]
    public void Choose_NoneAskedFor_None(MessageSecurityMode mode)
    {
        Assert.Same(Offered[1], EndpointSelector.Choose(Offered, SecurityPolicies.None.Uri, mode));
        Assert.Same(Offered[1], EndpointSelector.Choose(Offered, null, MessageSecurityMode.None));
    }

    [Fact]
    public void Choose_ServerRanksAWeakerPolicyHigher_OurOrderCounts()
    {
        EndpointDescription[] offered =
        [
            Endpoint(SecurityPolicies.Aes128Sha256RsaOaep.Uri, MessageSecurityMode.SignAndEncrypt, 255), Offered[4],
        ];
        Assert.Same(Offered[4], EndpointSelector.Choose(offered, null, MessageSecurityMode.Invalid));
    }

    [Fact]
    public void Choose_DeprecatedPolicy_Nothing() => Assert.Null(
        EndpointSelector.Choose(Offered[..1], null, MessageSecurityMode.Invalid));

    [Fact]
    public void Choose_OtherTransport_PassedOver()
    {
        var https = new EndpointDescription
        {
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            TransportProfileUri = "http://opcfoundation.org/UA-Profile/Transport/https-uabinary",
        };
        Assert.Null(EndpointSelector.Choose([https], null, MessageSecurityMode.Invalid));
    }

    /// <summary>The second is what the stack of the OPC Foundation sends.</summary>
    [Theory]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary")]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/uawss-uasc-uabinary")]
    public void Choose_SecureWebSocket_ByEitherName(string profile)
    {
        var endpoint = new EndpointDescription
        {
            SecurityMode = MessageSecurityMode.SignAndEncrypt,
            SecurityPolicyUri = SecurityPolicies.Basic256Sha256.Uri,
            TransportProfileUri = profile,
        };

        Assert.Same(endpoint, EndpointSelector.Choose([endpoint], null, MessageSecurityMode.Invalid));
    }

    /// <summary>What an operator is told to configure is never weaker than what he has.</summary>
    [Theory]
    [InlineData("Aes128_Sha256_RsaOaep", MessageSecurityMode.Invalid, "Aes256_Sha256_RsaPss,Basic256Sha256", true)]
    [InlineData("Aes128_Sha256_RsaOaep", MessageSecurityMode.Sign, "Basic256Sha256", true)]
    [InlineData("Aes256_Sha256_RsaPss", MessageSecurityMode.Sign, "Basic256Sha256", true)]
    public void Alternative_OnlyThePolicyIsWrong_OthersOfThatMode(
        string policy, MessageSecurityMode mode, string offered, bool isAsAskedFor)
    {
        Assert.True(SecurityPolicies.TryGetByName(policy, out var asked));
        var alternative = EndpointSelector.Alternative(Offered, asked.Uri, mode);
        Assert.Equal(offered.Split(','), alternative!.Policies);
        Assert.Equal(isAsAskedFor, alternative.IsAsAskedFor);
    }

    [Fact]
    public void Alternative_OnlyMoreSecureOffered_That()
    {
        var alternative = EndpointSelector.Alternative(
            Offered[3..], SecurityPolicies.None.Uri, MessageSecurityMode.Invalid);
        Assert.Equal(["Aes256_Sha256_RsaPss", "Basic256Sha256"], alternative!.Policies);
        Assert.False(alternative.IsAsAskedFor);
    }

    [Fact]
    public void Alternative_OnlyWeakerOffered_None() => Assert.Null(
        EndpointSelector.Alternative(Offered[..3], SecurityPolicies.Basic256Sha256.Uri, MessageSecurityMode.Invalid));

    private static EndpointDescription Endpoint(string policy, MessageSecurityMode mode, byte level) => new()
    {
        SecurityPolicyUri = policy,
        SecurityMode = mode,
        SecurityLevel = level,
    };
}
