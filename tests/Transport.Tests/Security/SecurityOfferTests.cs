using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Security;

public sealed class SecurityOfferTests
{
    public static TheoryData<MessageSecurityMode> AllModes => [.. Enum.GetValues<MessageSecurityMode>()];

    [Theory]
    [MemberData(nameof(AllModes))]
    public void HasMode_Default_BothSecuredModesAndNoneWithNoneAlone(MessageSecurityMode mode)
    {
        var offer = new SecurityOffer();
        var isSecured = mode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt;

        Assert.Equal(isSecured, offer.HasMode(SecurityPolicies.Basic256Sha256, mode));
        Assert.Equal(mode == MessageSecurityMode.None, offer.HasMode(SecurityPolicies.None, mode));
    }

    [Fact]
    public void Contains_FewerThanAll_OnlyThese()
    {
        var offer = new SecurityOffer
        {
            Policies = [SecurityPolicies.Aes256Sha256RsaPss],
            Modes = [MessageSecurityMode.SignAndEncrypt],
        };

        Assert.True(offer.Contains(SecurityPolicies.Aes256Sha256RsaPss, MessageSecurityMode.SignAndEncrypt));
        Assert.False(offer.Contains(SecurityPolicies.Aes256Sha256RsaPss, MessageSecurityMode.Sign));
        Assert.False(offer.Contains(SecurityPolicies.Basic256Sha256, MessageSecurityMode.SignAndEncrypt));
        Assert.False(offer.Contains(SecurityPolicies.None, MessageSecurityMode.None));
    }

    [Fact]
    public void ModesOf_EachOfThem_IsAccepted()
    {
        var offer = new SecurityOffer { Policies = SecurityPolicies.All };

        Assert.All(SecurityPolicies.All, policy =>
            Assert.All(offer.ModesOf(policy), mode => Assert.True(offer.Contains(policy, mode))));
    }

    /// <summary>A choice between policies must not end in a draw.</summary>
    [Fact]
    public void Strength_OfAllPolicies_NoneIsLastAndEachHasItsOwn()
    {
        Assert.Equal(
            SecurityPolicies.All.Count, SecurityPolicies.All.Select(policy => policy.Strength).Distinct().Count());
        Assert.Equal(SecurityPolicies.None, SecurityPolicies.All.MinBy(policy => policy.Strength));
    }
}
