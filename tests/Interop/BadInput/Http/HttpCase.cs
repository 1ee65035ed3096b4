namespace Gateway.Interop.BadInput.Http;

/// <summary>One spoilt request.</summary>
/// <param name="Method">As it is sent.</param>
/// <param name="Path">With its query.</param>
/// <param name="Bytes">All that is sent.</param>
/// <param name="IsCut">Its end is missing, or what its header says of the length is not so: nothing comes after it.
/// </param>
internal sealed record HttpCase(string Method, string Path, byte[] Bytes, bool IsCut);
