using Gateway.PubSub.Options;

namespace Gateway.PubSub.KeyServices;

/// <summary>Calls GetSecurityKeys; a fake in tests.</summary>
internal interface ISecurityKeyClient
{
    /// <summary>The current key of a SecurityGroup and those after it.</summary>
    /// <exception cref="KeyServiceException">There are none.</exception>
    Task<SecurityKeysAnswer> GetAsync(
        KeyServiceOptions service, string securityGroup, uint count, CancellationToken cancellation);
}
