using System.Text.Json;
using Gateway.Store.Files;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// The next message number of each key, in a file. Shape: <c>{ "fingerprint": 65537, … }</c>. No key is in it. A file
/// that cannot be read or written is an error for whoever wants to seal, never a reason to begin anew. Owner: the
/// gateway, one for all its groups. Threads: any.
/// </summary>
internal sealed class NonceFile(string path) : INonceRegister
{
    /// <summary>Beyond it nothing is reserved: keys are made by people, one after the other.</summary>
    private const int MaxKeys = 10_000;

    private readonly Lock _lock = new();
    private readonly string _path = Path.GetFullPath(path);
    private Dictionary<string, uint>? _next;

    public uint Reserve(string key, uint count)
    {
        lock (_lock)
        {
            try
            {
                _next ??= Load();
                var first = _next.GetValueOrDefault(key, 1U);
                if (first > uint.MaxValue - count)
                    return 0;
                Store(new Dictionary<string, uint>(_next) { [key] = first + count });
                return first;
            }
            catch (Exception error) when (error is UnauthorizedAccessException or JsonException)
            {
                throw new IOException($"{_path}: {error.Message}", error);
            }
        }
    }

    private Dictionary<string, uint> Load() => File.Exists(_path)
        ? JsonSerializer.Deserialize<Dictionary<string, uint>>(File.ReadAllBytes(_path)) ?? []
        : [];

    /// <summary>The memory follows the file.</summary>
    private void Store(Dictionary<string, uint> next)
    {
        if (next.Count > MaxKeys)
            throw new IOException($"{_path} has more than {MaxKeys} keys");
        WholeFile.Replace(_path, file => JsonSerializer.Serialize(file, next));
        _next = next;
    }
}
