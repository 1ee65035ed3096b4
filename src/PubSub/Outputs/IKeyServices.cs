using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Outputs;

/// <summary>Keys of SecurityGroups that Security Key Services give.</summary>
internal interface IKeyServices
{
    /// <summary>The same object for the same group.</summary>
    ISecurityKeySource SourceOf(string securityGroup);
}
