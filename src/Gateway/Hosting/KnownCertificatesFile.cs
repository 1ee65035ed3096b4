using System.Globalization;
using System.Text;
using Gateway.Admission.Clients;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>Keeps the known certificates (those that were active before) over restarts, in
/// <c>known-certificates.txt</c> of the PKI folder. They decide the order in a storm after a restart of the gateway.
/// Written whole (beside it, then renamed) at the end, and at most once a minute after a change. If the file cannot be
/// read or written, only the order is lost.</summary>
internal sealed partial class KnownCertificatesFile(
    string folder, KnownCertificates known, TimeProvider time, ILogger<KnownCertificatesFile> logger)
    : IAsyncDisposable
{
    private const string FileName = "known-certificates.txt";

    private static readonly TimeSpan SaveInterval = TimeSpan.FromMinutes(1);

    private readonly ILogger _logger = logger;
    private readonly string _path = Path.Combine(folder, FileName);
    private readonly SemaphoreSlim _saving = new(1);
    private ITimer? _timer;
    private bool _isUnsaved;

    public void Start()
    {
        Load();
        _timer = time.CreateTimer(
            static file => _ = ((KnownCertificatesFile)file!).SaveAsync(), this, SaveInterval, SaveInterval);
    }

    /// <summary>Does nothing without a change.</summary>
    public async Task SaveAsync()
    {
        await _saving.WaitAsync().ConfigureAwait(false);
        try
        {
            if (!known.IsChanged && !_isUnsaved)
                return;
            _isUnsaved = true;
            Directory.CreateDirectory(folder);
            var lines = new StringWriter(CultureInfo.InvariantCulture);
            await known.SaveAsync(lines).ConfigureAwait(false);
            WholeFile.Write(_path, Encoding.ASCII.GetBytes(lines.ToString()), overwrite: true);
            _isUnsaved = false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            LogNotSaved(_path, e.Message);
        }
        finally
        {
            _saving.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await SaveAsync().ConfigureAwait(false);
        _saving.Dispose();
    }

    private void Load()
    {
        try
        {
            if (!File.Exists(_path))
                return;
            using var reader = new StreamReader(_path);
            var damaged = known.Load(reader);
            if (damaged > 0)
                LogDamaged(_path, damaged);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            LogNotRead(_path, e.Message);
        }
    }
}
