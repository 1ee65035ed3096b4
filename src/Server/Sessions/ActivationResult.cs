using Gateway.Operations.Access;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Sessions;

/// <summary>What an activation replaced.</summary>
internal readonly record struct ActivationResult(
    bool IsFirst, ChannelState PreviousChannel, UserIdentity? PreviousIdentity);
