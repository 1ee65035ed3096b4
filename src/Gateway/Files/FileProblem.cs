using System.Security.Cryptography;

namespace Gateway.Host.Files;

/// <summary>Errors of files that the operator has named: they are no fault of the gateway.</summary>
internal static class FileProblem
{
    public static bool Is(Exception error) =>
        error is IOException or UnauthorizedAccessException or FormatException or CryptographicException;
}
