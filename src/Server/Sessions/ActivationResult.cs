using Gateway.Operations.Access;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Sessions;

/// <summary>The channel and user that an activation replaced.</summary>
internal readonly record struct ActivationResult(
    bool IsFirst, ChannelState PreviousChannel, UserIdentity? PreviousIdentity);
