namespace Gateway.Rest.Overview;

/// <summary>The certificate that a notice is about, for its alarm; lists do not show it.</summary>
/// <param name="NotAfter">In UTC.</param>
/// <param name="Der">As it is in files; empty: not everybody may have it.</param>
public sealed record NoticeCertificate(DateTime NotAfter, ReadOnlyMemory<byte> Der);
