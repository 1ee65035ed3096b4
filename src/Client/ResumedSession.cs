namespace Gateway.Client;

/// <summary>The answer of <see cref="UaClient.ResumeAsync"/>.</summary>
public readonly record struct ResumedSession(ClientSession Session, ResumeKind Kind);
