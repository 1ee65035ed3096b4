using Gateway.Client;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>A session after a lost connection.</summary>
internal readonly record struct ResumedUpstream(IUpstreamSession Session, ResumeKind Kind);
