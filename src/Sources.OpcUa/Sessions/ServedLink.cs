namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>A connection with all that is needed to go on after its loss.</summary>
/// <param name="Link">By which requests go.</param>
/// <param name="Subscription">Of its items.</param>
/// <param name="Session">Behind the link's.</param>
internal sealed record ServedLink(UpstreamLink Link, GrantedSubscription Subscription, IUpstreamSession Session);
