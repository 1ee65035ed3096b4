namespace Gateway.Transport.Security;

/// <summary>The private-key lane is full or the work waited too long: answered Bad_ServerTooBusy.</summary>
public sealed class PrivateKeyLaneBusyException() : Exception("The private-key lane is full.");
