using System.Security.Cryptography;

namespace Gateway.Host.Files;

/// <summary>What can be wrong with a file that the operator has named: it is no fault of the gateway.</summary>
internal static class FileProblem
{
    public static bool Is(Exception error) =>
        error is IOException or UnauthorizedAccessException or FormatException or CryptographicException;
}
