"""Client of tabcast, which forecasts time series and models tables on your own machines."""

from .client import Client
from .errors import TabcastError, WebhookError
from .webhook import verify_webhook

__all__ = ["Client", "TabcastError", "WebhookError", "verify_webhook"]
__version__ = "0.1.0"
