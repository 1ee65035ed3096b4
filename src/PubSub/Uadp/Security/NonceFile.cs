using System.Security.Cryptography;
using System.Text.Json;
using Gateway.Store.Files;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The random parts of nonces that each key has had, in a file: a number for each start of the gateway and key. Shape:
/// <c>{ "fingerprint": [ 17, 4711, … ], … }</c>. No key is in it. A file that cannot be read or written is an error
/// for whoever wants to seal, never a reason to begin anew. Owner: the gateway, one for all its groups. Threads: any.
/// </summary>
internal sealed class NonceFile(string path) : INonceRegister
{
    /// <summary>Starts with one key; beyond it the oldest are forgotten.</summary>
    private const int MaxStarts = 4096;

    /// <summary>Beyond it the key that came first is forgotten.</summary>
    private const int MaxKeys = 1024;

    private readonly Lock _lock = new();
    private readonly string _path = Path.GetFullPath(path);
    private Dictionary<string, List<uint>>? _known;

    public bool TryReserve(string key, uint random)
    {
        lock (_lock)
        {
            try
            {
                _known ??= Load();
                if (!_known.TryGetValue(key, out var had))
                    had = [];
                if (had.Contains(random))
                    return false;
                Store(key, [.. had.Skip(had.Count - MaxStarts + 1), random]);
                return true;
            }
            catch (Exception error) when (error is UnauthorizedAccessException or JsonException)
            {
                throw new IOException($"{_path}: {error.Message}", error);
            }
        }
    }

    private Dictionary<string, List<uint>> Load() => File.Exists(_path)
        ? JsonSerializer.Deserialize<Dictionary<string, List<uint>>>(File.ReadAllBytes(_path)) ?? []
        : [];

    /// <summary>Whole or not at all: into a file beside it, which then takes its name. The memory follows the file.
    /// </summary>
    private void Store(string key, List<uint> had)
    {
        var next = new Dictionary<string, List<uint>>(_known!) { [key] = had };
        if (next.Count > MaxKeys)
            next.Remove(next.Keys.First(other => other != key));
        var folder = Path.GetDirectoryName(_path)!;
        Directory.CreateDirectory(folder);
        var fresh = Path.Combine(folder, $".{Path.GetFileName(_path)}.{RandomNumberGenerator.GetHexString(8)}");
        using (var file = new FileStream(fresh, FileMode.CreateNew, FileAccess.Write))
        {
            JsonSerializer.Serialize(file, next);
            file.Flush(flushToDisk: true);
        }

        File.Move(fresh, _path, overwrite: true);
        DirectorySync.Sync(folder);
        _known = next;
    }
}
