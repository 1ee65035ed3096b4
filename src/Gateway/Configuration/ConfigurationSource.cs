using System.Security.Cryptography;
using Gateway.Codec.Pooling;

namespace Gateway.Host.Configuration;

/// <summary>The places of the configuration, so that it can be read more than once. Errors: those of
/// <see cref="CommandLine.ReadConfiguration"/>. Threads: any.</summary>
/// <param name="arguments">The command line.</param>
/// <param name="workingDirectory">Null: that of the process.</param>
internal sealed class ConfigurationSource(string[] arguments, string? workingDirectory = null)
{
    private const int MaxFileBytes = 16 * 1024 * 1024;

    /// <summary>The files that are read if they are there, with their full paths.</summary>
    public IReadOnlyList<string> Paths { get; } = CommandLine.FilesOf(arguments, workingDirectory);

    /// <summary>Of the files' content just before they were read the first time: what has changed since then is new,
    /// however long the start took.</summary>
    public byte[]? FirstHash { get; private set; }

    public ConfigurationLayers Read()
    {
        FirstHash ??= HashNow();
        return new(CommandLine.ReadConfiguration(arguments, workingDirectory)) { Source = this };
    }

    /// <param name="json">In the place of the operator's file.</param>
    public ConfigurationLayers Read(Stream json) =>
        new(CommandLine.ReadConfiguration(arguments, workingDirectory, json)) { Source = this, IsCandidate = true };

    /// <summary>Of the files' content. A file that is not there, is a pipe, or cannot be read, counts as empty:
    /// reading it tells why.</summary>
    public byte[] HashNow()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var path in Paths)
        {
            hash.AppendData("|"u8);
            try
            {
                if (File.Exists(path))
                    FileHash.Append(hash, path, MaxFileBytes);
            }
            catch (Exception error) when (
                error is IOException or UnauthorizedAccessException or NotSupportedException)
            {
                hash.AppendData("?"u8);
            }
        }

        return hash.GetHashAndReset();
    }
}
