namespace Gateway.Rest.Overview;

/// <summary>The certificate that a notice is about, for its alarm; lists do not show it.</summary>
/// <param name="NotAfter">In UTC.</param>
/// <param name="Words">In place of those of the notice: every client may subscribe to alarms, and who else is trusted
/// is none of its business (R36).</param>
public sealed record NoticeCertificate(DateTime NotAfter, string Words);
